package roll.runtime.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import roll.runtime.option.SecretRedactor.Span;

/**
 * Finds secrets in one text, in one pass: wherever a colon or an equals sign follows a name, the
 * name decides. Names are looked at over a bounded length.
 */
final class SecretScan {
  private static final int LONGEST_NAME = 96;
  private static final int MOST_SPACES = 4;
  private static final int LONG_WORD = 20;
  private static final String BEARER = "bearer";

  /** Names that are secret as parameters of an address and as options of a command. */
  private static final Set<String> PARAMETERS =
      Set.of("key", "token", "sig", "signature", "auth", "access_key");

  /** Authentication schemes that may precede a credential in a header. */
  private static final Set<String> SCHEMES =
      Set.of("bearer", "basic", "digest", "token", "negotiate", "apikey");

  private static final Set<String> COOKIES = Set.of("cookie", "set_cookie");

  private final String text;
  private final boolean log;
  private final SecretBoundary ends;
  private final List<Span> found = new ArrayList<>();

  /**
   * Creates the scan of {@code text} for secrets.
   *
   * @param log whether the value in {@code password: blue} counts as a secret
   */
  SecretScan(String text, boolean log) {
    this.text = text;
    this.log = log;
    ends = new SecretBoundary(text);
  }

  /** Returns the spans of all secrets, in order, without overlap. */
  List<Span> spans() {
    for (int i = 0;
        i < text.length();
        i = Math.max(i + 1, found.isEmpty() ? 0 : found.getLast().to())) {
      switch (text.charAt(i)) {
        case ':' -> {
          if (text.startsWith("//", i + 1)) {
            user(i + 3);
          } else {
            named(i);
          }
        }
        case '=' -> named(i);
        case '-' -> option(i);
        case 'B', 'b' -> bearer(i);
        default -> {
          // nothing begins with it
        }
      }
    }
    return List.copyOf(found);
  }

  /** Finds the user information before the {@code @} of an address. */
  private void user(int from) {
    int last = -1;
    int i = from;
    for (; i < text.length() && !SecretBoundary.isOneOf(text.charAt(i), "/?#\"'<>\\"); i++) {
      last = text.charAt(i) == '@' ? i : last;
    }
    if (last > from) {
      found.add(new Span(from, last));
    }
  }

  /** Finds the value after {@code sign} if the name before it is the name of a secret. */
  private void named(int sign) {
    int end = back(sign, MOST_SPACES, " \t");
    int quote = end > 0 && "\"'".indexOf(text.charAt(end - 1)) >= 0 ? end - 1 : -1;
    int last = quote < 0 ? end : back(quote, MOST_SPACES, "\\");
    int first = last;
    while (first > 0 && last - first < LONGEST_NAME && isOfName(text.charAt(first - 1))) {
      first--;
    }
    String name = EscapedName.plain(text.substring(first, last));
    char before = first == 0 ? ' ' : text.charAt(first - 1);
    boolean parameter = text.charAt(sign) == '=' && "?&#;".indexOf(before) >= 0;
    if (isSecret(name, parameter)) {
      value(sign, name, before, quote >= 0);
    }
  }

  private int back(int from, int most, String characters) {
    int i = from;
    while (i > 0 && from - i < most && characters.indexOf(text.charAt(i - 1)) >= 0) {
      i--;
    }
    return i;
  }

  private static boolean isOfName(char c) {
    return Character.isLetterOrDigit(c) || "_.-%\\".indexOf(c) >= 0;
  }

  private static boolean isSecret(String name, boolean parameter) {
    return !name.isEmpty()
        && (Secrets.is(name) || COOKIES.contains(name) || (parameter && PARAMETERS.contains(name)));
  }

  private void value(int sign, String name, char before, boolean quoted) {
    int from = sign + 1;
    while (from < text.length()
        && from - sign <= MOST_SPACES
        && " \t".indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    int slashes = from;
    while (slashes < text.length()
        && slashes - from < MOST_SPACES
        && text.charAt(slashes) == '\\') {
      slashes++;
    }
    if (slashes < text.length() && "\"'".indexOf(text.charAt(slashes)) >= 0) {
      String mark = text.substring(from, slashes + 1);
      add(slashes + 1, ends.closing(slashes + 1, mark));
    } else if (from < text.length() && "[{".indexOf(text.charAt(from)) >= 0) {
      add(from, ends.brackets(from));
    } else if (isHeader(name)) {
      header(from, name, before);
    } else if (text.charAt(sign) == '=') {
      add(from, ends.word(from, "&\"'`,;<>)}]\\"));
    } else {
      bare(from, name, quoted);
    }
  }

  private static boolean isHeader(String name) {
    return name.endsWith("authorization") || COOKIES.contains(name);
  }

  /** The rest of a header: of the line, or of the text in quotes that the header is. */
  private void header(int from, String name, char before) {
    int word = ends.word(from, "\"',;<>)}]\\");
    boolean header =
        COOKIES.contains(name)
            ? text.indexOf('=', from, ends.limit(from)) > from
            : log || isOdd(from, word) || isScheme(text.substring(from, word));
    if (!header) {
      return;
    }
    boolean quoted = "\"'".indexOf(before) >= 0;
    int to = from;
    while (to < text.length()
        && text.charAt(to) != '\n'
        && !(quoted && text.charAt(to) == before)) {
      to++;
    }
    add(from, to);
  }

  private static boolean isScheme(String word) {
    return SCHEMES.contains(word.toLowerCase(Locale.ROOT));
  }

  /** Finds a secret after a colon, unless a sentence about it follows. */
  private void bare(int from, String name, boolean quoted) {
    if (!log && !quoted && name.indexOf('_') < 0) {
      return; // a sentence about a password
    }
    int to = ends.word(from, "\"',;<>)}]\\");
    boolean goesOn = to < text.length() && text.charAt(to) == ' ';
    if (!goesOn || isOdd(from, to)) {
      add(from, to);
    }
  }

  /** Whether the characters are no word of a sentence. */
  private boolean isOdd(int from, int to) {
    return to - from >= LONG_WORD
        || text.substring(from, to).chars().anyMatch(c -> Character.isDigit(c) || c == '$');
  }

  /** Finds a secret that is the value of a command-line option, after a blank. */
  private void option(int at) {
    boolean begins = at == 0 || SecretBoundary.isOneOf(text.charAt(at - 1), "\"'`(");
    if (!begins || !text.startsWith("--", at)) {
      return;
    }
    int end = at + 2;
    while (end < text.length() && end - at < LONGEST_NAME && isOfName(text.charAt(end))) {
      end++;
    }
    String name = EscapedName.plain(text.substring(at + 2, end));
    if (end < text.length()
        && text.charAt(end) == ' '
        && isSecret(name, true)
        && !text.startsWith(" -", end)
        && !text.startsWith(" <", end)) {
      add(end + 1, ends.word(end + 1, "\"'`"));
    }
  }

  /** Finds a bearer token, also without a header name. */
  private void bearer(int at) {
    int from = at + BEARER.length() + 1;
    boolean begins = at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1));
    if (begins
        && from < text.length()
        && text.charAt(from - 1) == ' '
        && text.regionMatches(true, at, BEARER, 0, BEARER.length())) {
      int to = ends.word(from, "\"'`,;<>)}]\\");
      if (isOdd(from, to)) {
        add(from, to);
      }
    }
  }

  /** Adds a found secret, without the name of a variable, which is no secret. */
  private void add(int from, int to) {
    if (to > from && !Secrets.isVariable(text.substring(from, to).strip())) {
      found.add(new Span(from, to));
    }
  }
}
