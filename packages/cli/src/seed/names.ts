/** Names of one language: as users write them, and in Latin letters for addresses. */
interface Language {
  /** ISO 3166-1 code of the country of most users with these names. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly timeZone: string;
  readonly firstNames: Names;
  readonly lastNames: Names;
  readonly familyNameFirst?: boolean;
  readonly separator?: string;
}

type Names = readonly [Name, ...Name[]];
/** A name, or a name with its form in Latin letters. */
type Name = string | readonly [string, string];

export const languages: readonly [Language, ...Language[]] = [
  {
    country: 'US',
    region: 'New York',
    city: 'New York',
    timeZone: 'America/New_York',
    firstNames: ['James', 'Mary', 'Michael', 'Olivia', 'Ethan', 'Grace', 'Daniel', 'Chloe', 'Noah', 'Amelia', 'Jordan'],
    lastNames: ['Smith', 'Johnson', 'Brown', 'Martinez', 'Davis', 'Walker', 'Nguyen', 'Carter', 'O’Neill', 'Reed'],
  },
  {
    country: 'DE',
    region: 'Berlin',
    city: 'Berlin',
    timeZone: 'Europe/Berlin',
    firstNames: ['Lukas', 'Anna', 'Jürgen', 'Lena', 'Felix', 'Käthe', 'Björn', 'Mia', 'Jonas', 'Greta'],
    lastNames: ['Müller', 'Schmidt', 'Weiß', 'Fischer', 'Schäfer', 'Becker', 'Köhler', 'Hoffmann', 'Brandt'],
  },
  {
    country: 'FR',
    region: 'Île-de-France',
    city: 'Paris',
    timeZone: 'Europe/Paris',
    firstNames: ['Léa', 'Hugo', 'Inès', 'Jules', 'Chloé', 'Théo', 'Élodie', 'Baptiste', 'Zoé', 'Noël'],
    lastNames: ['Dubois', 'Lefèvre', 'Moreau', 'Girard', 'Bonnet', 'François', 'Mercier', 'Garnier'],
  },
  {
    country: 'ES',
    region: 'Madrid',
    city: 'Madrid',
    timeZone: 'Europe/Madrid',
    firstNames: ['Lucía', 'Mateo', 'Sofía', 'Íñigo', 'Carmen', 'Álvaro', 'Elena', 'Pablo', 'Begoña'],
    lastNames: ['García', 'Fernández', 'López', 'Núñez', 'Ibáñez', 'Romero', 'Vega', 'Castro'],
  },
  {
    country: 'BR',
    region: 'São Paulo',
    city: 'São Paulo',
    timeZone: 'America/Sao_Paulo',
    firstNames: ['João', 'Beatriz', 'Tiago', 'Inês', 'Caio', 'Larissa', 'Antônio', 'Fernanda'],
    lastNames: ['Silva', 'Santos', 'Araújo', 'Gonçalves', 'Ribeiro', 'Conceição', 'Almeida'],
  },
  {
    country: 'PL',
    region: 'Mazowieckie',
    city: 'Warszawa',
    timeZone: 'Europe/Warsaw',
    firstNames: ['Zofia', 'Jakub', 'Agnieszka', 'Łukasz', 'Wojciech', 'Małgorzata', 'Piotr'],
    lastNames: ['Kowalski', 'Wiśniewska', 'Dąbrowski', 'Zieliński', 'Wójcik', 'Nowak'],
  },
  {
    country: 'TR',
    region: 'İstanbul',
    city: 'İstanbul',
    timeZone: 'Europe/Istanbul',
    firstNames: ['Zeynep', 'Emre', 'Çağla', 'Oğuz', 'Elif', 'Ömer', 'Şule'],
    lastNames: ['Yılmaz', 'Kaya', 'Öztürk', 'Çelik', 'Şahin', 'Aydın'],
  },
  {
    country: 'JP',
    region: '東京都',
    city: '東京',
    timeZone: 'Asia/Tokyo',
    familyNameFirst: true,
    firstNames: [
      ['陽翔', 'haruto'],
      ['さくら', 'sakura'],
      ['健二', 'kenji'],
      ['結衣', 'yui'],
      ['大輔', 'daisuke'],
    ],
    lastNames: [
      ['佐藤', 'sato'],
      ['鈴木', 'suzuki'],
      ['高橋', 'takahashi'],
      ['田中', 'tanaka'],
      ['渡辺', 'watanabe'],
    ],
  },
  {
    country: 'CN',
    region: '上海',
    city: '上海',
    timeZone: 'Asia/Shanghai',
    familyNameFirst: true,
    separator: '',
    firstNames: [
      ['伟', 'wei'],
      ['芳', 'fang'],
      ['晓明', 'xiaoming'],
      ['丽', 'li'],
      ['子涵', 'zihan'],
    ],
    lastNames: [
      ['王', 'wang'],
      ['李', 'li'],
      ['张', 'zhang'],
      ['刘', 'liu'],
      ['陈', 'chen'],
    ],
  },
  {
    country: 'KR',
    region: '서울',
    city: '서울',
    timeZone: 'Asia/Seoul',
    familyNameFirst: true,
    separator: '',
    firstNames: [
      ['민준', 'minjun'],
      ['서연', 'seoyeon'],
      ['지호', 'jiho'],
      ['하은', 'haeun'],
    ],
    lastNames: [
      ['김', 'kim'],
      ['이', 'lee'],
      ['박', 'park'],
      ['최', 'choi'],
    ],
  },
  {
    country: 'IN',
    region: 'Maharashtra',
    city: 'Mumbai',
    timeZone: 'Asia/Kolkata',
    firstNames: [['अर्जुन', 'arjun'], ['प्रिया', 'priya'], 'Ananya', 'Raj', 'Kavya', ['रोहन', 'rohan']],
    lastNames: [['शर्मा', 'sharma'], 'Patel', 'Iyer', ['सिंह', 'singh'], 'Banerjee'],
  },
  {
    country: 'UA',
    region: 'Київ',
    city: 'Київ',
    timeZone: 'Europe/Kyiv',
    firstNames: [
      ['Олена', 'olena'],
      ['Андрій', 'andriy'],
      ['Ірина', 'iryna'],
      ['Тарас', 'taras'],
    ],
    lastNames: [
      ['Шевченко', 'shevchenko'],
      ['Коваленко', 'kovalenko'],
      ['Бондар', 'bondar'],
    ],
  },
  {
    country: 'GR',
    region: 'Αττική',
    city: 'Αθήνα',
    timeZone: 'Europe/Athens',
    firstNames: [
      ['Μαρία', 'maria'],
      ['Γιώργος', 'giorgos'],
      ['Ελένη', 'eleni'],
    ],
    lastNames: [
      ['Παπαδόπουλος', 'papadopoulos'],
      ['Νικολάου', 'nikolaou'],
    ],
  },
  {
    country: 'EG',
    region: 'القاهرة',
    city: 'القاهرة',
    timeZone: 'Africa/Cairo',
    firstNames: [
      ['ليلى', 'layla'],
      ['عمر', 'omar'],
      ['فاطمة', 'fatima'],
      ['يوسف', 'yusuf'],
    ],
    lastNames: [
      ['حسن', 'hassan'],
      ['إبراهيم', 'ibrahim'],
      ['حداد', 'haddad'],
    ],
  },
  {
    country: 'NG',
    region: 'Lagos',
    city: 'Lagos',
    timeZone: 'Africa/Lagos',
    firstNames: ['Chidi', 'Ngozi', 'Adébáyọ̀', 'Amara', 'Ifeoma', 'Túndé'],
    lastNames: ['Okafor', 'Adeyemi', 'Balógun', 'Eze', 'Nwosu'],
  },
];

/** The form of a name in a display name, and its form in an address. */
export function formsOf(name: Name): { written: string; latin: string } {
  const [written, latin] = typeof name === 'string' ? [name, name] : name;
  const plain = latin
    .normalize('NFD')
    .replaceAll('ß', 'ss')
    .replaceAll(/[łŁ]/g, 'l')
    .replaceAll('ı', 'i')
    .replaceAll(/[^A-Za-z]/g, '');
  return { written, latin: plain.toLowerCase() };
}

export type { Language };
