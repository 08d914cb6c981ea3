package roll.template.jinja.function;

import static roll.template.jinja.value.Builtin.function;
import static roll.template.jinja.value.Builtin.table;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import roll.template.jinja.value.Args;
import roll.template.jinja.value.Builtin;
import roll.template.jinja.value.Dict;
import roll.template.jinja.value.Markup;
import roll.template.jinja.value.Numbers;
import roll.template.jinja.value.StringMethods;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Text;
import roll.template.jinja.value.TextFormatting;
import roll.template.jinja.value.Tuple;
import roll.template.jinja.value.Types;

/** Jinja's filters that work on text. */
final class TextFilters {
  private static final Pattern WORD = Pattern.compile("\\w+", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern WORD_BREAK =
      Pattern.compile("(?<=[-\\s({\\[<])(?![-\\s({\\[<])", Pattern.UNICODE_CHARACTER_CLASS);

  static final Map<String, Builtin> TABLE =
      table(
          function("upper(value)", a -> soft(a[0], t -> t.toUpperCase(Locale.ROOT))),
          function("lower(value)", a -> soft(a[0], t -> t.toLowerCase(Locale.ROOT))),
          function("capitalize(value)", a -> soft(a[0], StringMethods::capitalize)),
          function("title(value)", a -> soft(a[0], TextFilters::title)),
          function(
              "trim(value, chars=None)",
              a -> soft(a[0], t -> StringMethods.strip(t, a[1], true, true))),
          function(
              "center(value, width=80)",
              a -> soft(a[0], t -> StringMethods.center(t, Numbers.index(a[1]), " "))),
          function("string(value)", a -> soft(a[0], t -> t)),
          function("safe(value)", a -> new Markup(Text.of(a[0]))),
          function("escape(value)", a -> Markup.escape(a[0])),
          function("forceescape(value)", a -> Markup.escape(Text.of(a[0]))),
          function(
              "replace(value, old, new, count=None)",
              a -> StringMethods.replace(Text.of(a[0]), Text.of(a[1]), Text.of(a[2]), a[3])),
          function("indent(value, width=4, first=False, blank=False)", TextFilters::indent),
          function("format(value, *args)", a -> format(a[0], (Args) a[1])),
          function(
              "truncate(value, length=255, killwords=False, end='...', leeway=5)",
              TextFilters::truncate),
          function("wordcount(value)", a -> WORD.matcher(Text.of(a[0])).results().count()),
          function("urlencode(value)", a -> urlEncode(a[0])));

  private TextFilters() {}

  /** Applies {@code change} to the value's text; safe markup stays safe. */
  private static Object soft(Object value, UnaryOperator<String> change) {
    String changed = change.apply(Text.of(value));
    return value instanceof Markup ? new Markup(changed) : changed;
  }

  private static String title(String text) {
    return WORD_BREAK
        .splitAsStream(text)
        .map(StringMethods::capitalize)
        .collect(Collectors.joining());
  }

  private static Object indent(Object[] values) {
    requireText("indent", values[0]);
    String indention =
        Text.is(values[1]) ? Text.of(values[1]) : Text.repeated(" ", Numbers.index(values[1]));
    boolean blank = Types.truth(values[3]);
    return soft(
        values[0],
        text -> {
          List<String> lines = new ArrayList<>();
          for (String line : Text.lines(text + "\n", false)) {
            boolean bare = lines.isEmpty() || (line.isEmpty() && !blank);
            lines.add(bare ? line : indention + line);
          }
          return (Types.truth(values[2]) ? indention : "") + String.join("\n", lines);
        });
  }

  private static void requireText(String filter, Object value) {
    if (!Text.is(value)) {
      throw new TemplateException(filter + "() needs a text, not '" + Types.name(value) + "'");
    }
  }

  private static Object format(Object value, Args args) {
    if (args.named().isEmpty()) {
      return TextFormatting.percent(value, new Tuple(args.positional()));
    }
    Dict named = new Dict();
    named.putAll(args.named());
    return TextFormatting.percent(value, named);
  }

  private static Object truncate(Object[] values) {
    int length = Types.length(values[0]);
    String text = Text.of(values[0]);
    String end = Text.of(values[3]);
    int most = Numbers.index(values[1]) - Types.length(end);
    if (most < 0) {
      throw new TemplateException("truncate(): the length is less than that of the end");
    }
    int leeway = Numbers.index(values[4]);
    if (length <= most + Types.length(end) + leeway) {
      return values[0];
    }
    requireText("truncate", values[0]);
    String cut = text.substring(0, text.offsetByCodePoints(0, most));
    int space = cut.lastIndexOf(' ');
    return (Types.truth(values[2]) || space < 0 ? cut : cut.substring(0, space)) + end;
  }

  private static Object urlEncode(Object value) {
    if (value instanceof Iterable || value instanceof Dict) {
      Object pairs = value instanceof Dict dict ? Dict.View.items(dict) : value;
      return Types.list(pairs).stream().map(TextFilters::urlPair).collect(Collectors.joining("&"));
    }
    return quote(value);
  }

  private static String urlPair(Object pair) {
    List<Object> parts = Types.list(pair);
    if (parts.size() != 2) {
      throw new TemplateException("urlencode needs pairs of name and value");
    }
    return URLEncoder.encode(Text.of(parts.get(0)), StandardCharsets.UTF_8)
        + "="
        + URLEncoder.encode(Text.of(parts.get(1)), StandardCharsets.UTF_8);
  }

  private static String quote(Object value) {
    return URLEncoder.encode(Text.of(value), StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~")
        .replace("%2F", "/");
  }
}
