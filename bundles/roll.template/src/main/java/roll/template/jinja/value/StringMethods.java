package roll.template.jinja.value;

import static roll.template.jinja.value.Builtin.function;
import static roll.template.jinja.value.Builtin.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;

/** Implements the methods of Python's {@code str}. */
public final class StringMethods {
  static final Map<String, Builtin> TABLE =
      table(
          function("strip(self, chars=None)", a -> strip(text(a, 0), a[1], true, true)),
          function("lstrip(self, chars=None)", a -> strip(text(a, 0), a[1], true, false)),
          function("rstrip(self, chars=None)", a -> strip(text(a, 0), a[1], false, true)),
          function("split(self, sep=None, maxsplit=-1)", a -> split(text(a, 0), a[1], a[2])),
          function("rsplit(self, sep=None, maxsplit=-1)", a -> splitRight(text(a, 0), a[1], a[2])),
          function(
              "splitlines(self, keepends=False)",
              a -> new ArrayList<Object>(Text.lines(text(a, 0), Types.truth(a[1])))),
          function("partition(self, sep)", a -> partition(text(a, 0), text(a, 1), false)),
          function("rpartition(self, sep)", a -> partition(text(a, 0), text(a, 1), true)),
          function("startswith(self, prefix)", a -> any(text(a, 0), a[1], String::startsWith)),
          function("endswith(self, suffix)", a -> any(text(a, 0), a[1], String::endsWith)),
          function(
              "removeprefix(self, prefix)",
              a ->
                  text(a, 0).startsWith(text(a, 1))
                      ? text(a, 0).substring(text(a, 1).length())
                      : text(a, 0)),
          function("removesuffix(self, suffix)", a -> removeSuffix(text(a, 0), text(a, 1))),
          function(
              "replace(self, old, new, count=-1)",
              a -> replace(text(a, 0), text(a, 1), text(a, 2), a[3])),
          function("join(self, items)", a -> join(text(a, 0), a[1])),
          function("find(self, sub)", a -> find(text(a, 0), text(a, 0).indexOf(text(a, 1)))),
          function("rfind(self, sub)", a -> find(text(a, 0), text(a, 0).lastIndexOf(text(a, 1)))),
          function("index(self, sub)", a -> index(text(a, 0), text(a, 1))),
          function("count(self, sub)", a -> (long) pieces(text(a, 0), text(a, 1), -1).size() - 1),
          function("upper(self)", a -> text(a, 0).toUpperCase(Locale.ROOT)),
          function("lower(self)", a -> text(a, 0).toLowerCase(Locale.ROOT)),
          function(
              "casefold(self)", a -> text(a, 0).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT)),
          function("capitalize(self)", a -> capitalize(text(a, 0))),
          function("title(self)", a -> title(text(a, 0))),
          function("swapcase(self)", a -> swapCase(text(a, 0))),
          function("zfill(self, width)", a -> zeroFill(text(a, 0), Numbers.index(a[1]))),
          function(
              "center(self, width, fill=' ')",
              a -> center(text(a, 0), Numbers.index(a[1]), text(a, 2))),
          function("ljust(self, width, fill=' ')", a -> text(a, 0) + gap(a)),
          function("rjust(self, width, fill=' ')", a -> gap(a) + text(a, 0)),
          function("format(self, *args)", a -> TextFormatting.braces(text(a, 0), (Args) a[1])),
          function("isalpha(self)", a -> all(text(a, 0), Character::isLetter)),
          function("isdigit(self)", a -> all(text(a, 0), Character::isDigit)),
          function("isdecimal(self)", a -> all(text(a, 0), Character::isDigit)),
          function("isnumeric(self)", a -> all(text(a, 0), StringMethods::isNumeric)),
          function(
              "isalnum(self)", a -> all(text(a, 0), c -> Character.isLetter(c) || isNumeric(c))),
          function("isspace(self)", a -> all(text(a, 0), Text::isSpace)),
          function("isascii(self)", a -> text(a, 0).chars().allMatch(c -> c < 128)),
          function("isupper(self)", a -> isCased(text(a, 0), Character::isLowerCase)),
          function("islower(self)", a -> isCased(text(a, 0), Character::isUpperCase)));

  private StringMethods() {}

  private static String text(Object[] values, int index) {
    if (!Text.is(values[index])) {
      throw new TemplateException("expected str, found '" + Types.name(values[index]) + "'");
    }
    return Text.of(values[index]);
  }

  /**
   * {@code text} without those of {@code chars} at its left or right; white space where that is
   * {@link None}.
   */
  public static String strip(String text, Object chars, boolean left, boolean right) {
    IntPredicate which =
        chars instanceof None ? Text::isSpace : c -> Text.of(chars).indexOf(c) >= 0;
    String rest = left ? Text.stripLeft(text, which) : text;
    return right ? Text.stripRight(rest, which) : rest;
  }

  private static List<Object> split(String text, Object separator, Object most) {
    int limit = Numbers.index(most);
    if (!(separator instanceof None)) {
      return new ArrayList<>(pieces(text, Text.of(separator), limit));
    }
    List<Object> words = new ArrayList<>();
    String rest = Text.stripLeft(text, Text::isSpace);
    while (!rest.isEmpty()) {
      String after = Text.stripLeft(rest, c -> !Text.isSpace(c));
      boolean last = limit >= 0 && words.size() == limit;
      words.add(last ? rest : rest.substring(0, rest.length() - after.length()));
      rest = last ? "" : Text.stripLeft(after, Text::isSpace);
    }
    return words;
  }

  private static List<Object> splitRight(String text, Object separator, Object most) {
    String reversedSeparator = separator instanceof None ? "" : reverse(Text.of(separator));
    Object mirrored = separator instanceof None ? separator : reversedSeparator;
    List<Object> words = new ArrayList<>();
    for (Object word : split(reverse(text), mirrored, most).reversed()) {
      words.add(reverse(Text.of(word)));
    }
    return words;
  }

  /** Returns the code points of {@code text} in reverse order. */
  public static String reverse(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  /** Splits a text at no more than {@code limit} separators; at every one if it is negative. */
  private static List<String> pieces(String text, String separator, int limit) {
    if (separator.isEmpty()) {
      throw new TemplateException("empty separator");
    }
    List<String> pieces = new ArrayList<>();
    int start = 0;
    int at = text.indexOf(separator);
    while (at >= 0 && (limit < 0 || pieces.size() < limit)) {
      pieces.add(text.substring(start, at));
      start = at + separator.length();
      at = text.indexOf(separator, start);
    }
    pieces.add(text.substring(start));
    return pieces;
  }

  private static Tuple partition(String text, String separator, boolean last) {
    int at = last ? text.lastIndexOf(separator) : text.indexOf(separator);
    if (at < 0) {
      return last ? Tuple.of("", "", text) : Tuple.of(text, "", "");
    }
    return Tuple.of(text.substring(0, at), separator, text.substring(at + separator.length()));
  }

  private static boolean any(String text, Object affix, BiPredicate<String, String> has) {
    return affix instanceof Tuple tuple
        ? tuple.items().stream().anyMatch(one -> has.test(text, text(new Object[] {one}, 0)))
        : has.test(text, text(new Object[] {affix}, 0));
  }

  private static String removeSuffix(String text, String suffix) {
    return text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
  }

  /**
   * {@code text} with {@code fresh} in place of {@code old}, at most {@code most} times where that
   * is a number.
   */
  public static String replace(String text, String old, String fresh, Object most) {
    int limit = most instanceof None ? -1 : Numbers.index(most);
    if (limit < 0) {
      return text.replace(old, fresh);
    }
    if (old.isEmpty()) {
      List<Object> characters = Types.list(text);
      StringBuilder spread = new StringBuilder();
      for (int i = 0; i <= characters.size(); i++) {
        spread
            .append(i < limit ? fresh : "")
            .append(i < characters.size() ? characters.get(i) : "");
      }
      return spread.toString();
    }
    return String.join(fresh, pieces(text, old, limit));
  }

  private static String join(String between, Object items) {
    List<String> texts = new ArrayList<>();
    for (Object item : Types.list(items)) {
      texts.add(text(new Object[] {item}, 0));
    }
    return String.join(between, texts);
  }

  private static Object find(String text, int at) {
    return (long) (at < 0 ? at : text.codePointCount(0, at));
  }

  private static Object index(String text, String part) {
    int at = text.indexOf(part);
    if (at < 0) {
      throw new TemplateException("substring not found");
    }
    return find(text, at);
  }

  /** Returns {@code text} with its first letter in upper case and the others in lower case. */
  public static String capitalize(String text) {
    if (text.isEmpty()) {
      return text;
    }
    int first = Character.charCount(text.codePointAt(0));
    return titled(text.substring(0, first)) + text.substring(first).toLowerCase(Locale.ROOT);
  }

  private static String titled(String character) {
    String upper = character.toUpperCase(Locale.ROOT);
    return upper.length() > 1 && !character.equals(upper)
        ? capitalizeLigature(upper)
        : Character.toString(Character.toTitleCase(character.codePointAt(0)));
  }

  /** A letter that is several in capitals, such as ß, begins a word with one capital. */
  private static String capitalizeLigature(String upper) {
    int first = upper.offsetByCodePoints(0, 1);
    return upper.substring(0, first) + upper.substring(first).toLowerCase(Locale.ROOT);
  }

  private static String title(String text) {
    StringBuilder titled = new StringBuilder();
    boolean within = false;
    for (Object character : Types.list(text)) {
      String one = Text.of(character);
      titled.append(within ? one.toLowerCase(Locale.ROOT) : titled(one));
      within = Character.isLetter(one.codePointAt(0));
    }
    return titled.toString();
  }

  private static String swapCase(String text) {
    StringBuilder swapped = new StringBuilder();
    for (Object character : Types.list(text)) {
      String one = Text.of(character);
      swapped.append(
          Character.isUpperCase(one.codePointAt(0))
              ? one.toLowerCase(Locale.ROOT)
              : one.toUpperCase(Locale.ROOT));
    }
    return swapped.toString();
  }

  private static String zeroFill(String text, int width) {
    int sign = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    String zeros = Text.repeated("0", Math.max(0, width - Types.length(text)));
    return text.substring(0, sign) + zeros + text.substring(sign);
  }

  /** Centers {@code text} in {@code width} code points, filled up by {@code fill}. */
  public static String center(String text, int width, String fill) {
    int gap = Math.max(0, width - Types.length(text));
    int left = gap / 2 + (gap & width & 1);
    return Text.repeated(fill, left) + text + Text.repeated(fill, gap - left);
  }

  private static String gap(Object[] values) {
    return Text.repeated(
        text(values, 2), Math.max(0, Numbers.index(values[1]) - Types.length(values[0])));
  }

  private static boolean all(String text, IntPredicate which) {
    return !text.isEmpty() && text.codePoints().allMatch(which);
  }

  private static boolean isNumeric(int c) {
    return Character.isDigit(c)
        || Character.getType(c) == Character.LETTER_NUMBER
        || Character.getType(c) == Character.OTHER_NUMBER;
  }

  private static boolean isCased(String text, IntPredicate wrong) {
    return text.codePoints().noneMatch(wrong)
        && text.codePoints().anyMatch(c -> Character.isUpperCase(c) || Character.isLowerCase(c));
  }
}
