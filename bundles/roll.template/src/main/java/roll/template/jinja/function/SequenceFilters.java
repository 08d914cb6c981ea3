package roll.template.jinja.function;

import static roll.template.jinja.value.Builtin.function;
import static roll.template.jinja.value.Builtin.table;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import roll.template.jinja.value.Args;
import roll.template.jinja.value.Builtin;
import roll.template.jinja.value.Dict;
import roll.template.jinja.value.ItemAccess;
import roll.template.jinja.value.Markup;
import roll.template.jinja.value.None;
import roll.template.jinja.value.Numbers;
import roll.template.jinja.value.Operators;
import roll.template.jinja.value.PythonGenerator;
import roll.template.jinja.value.StringMethods;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Text;
import roll.template.jinja.value.Types;
import roll.template.jinja.value.Undefined;

/** Filters that work on the items of a sequence. */
final class SequenceFilters {
  static final Map<String, Builtin> TABLE =
      table(
          function("length(value)", a -> (long) Types.length(a[0])),
          function("list(value)", a -> Types.list(a[0])),
          function(
              "first(value)",
              a -> first(Types.iterate(a[0]), "No first item, sequence was empty.")),
          function("last(value)", a -> first(reversed(a[0]), "No last item, sequence was empty.")),
          function("reverse(value)", a -> reverse(a[0])),
          function("items(value)", a -> new PythonGenerator(() -> items(a[0]))),
          function("join(value, d='', attribute=None)", SequenceFilters::join),
          function("map(value, *args)", a -> map(a[0], (Args) a[1])),
          function("select(value, *args)", a -> select(a[0], SequenceFilters::tester, a[1])),
          function("reject(value, *args)", a -> reject(a[0], SequenceFilters::tester, a[1])),
          function(
              "selectattr(value, *args)",
              a -> select(a[0], SequenceFilters::attributeTester, a[1])),
          function(
              "rejectattr(value, *args)",
              a -> reject(a[0], SequenceFilters::attributeTester, a[1])),
          function("sum(value, attribute=None, start=0)", SequenceFilters::sum),
          function(
              "batch(value, linecount, fill_with=None)", a -> new PythonGenerator(() -> batch(a))),
          function(
              "slice(value, slices, fill_with=None)", a -> new PythonGenerator(() -> slice(a))));

  private SequenceFilters() {}

  private static Stream<Object> stream(Object value) {
    return Types.list(value).stream();
  }

  private static Object first(Iterator<Object> items, String otherwise) {
    return items.hasNext() ? items.next() : new Undefined(otherwise);
  }

  private static Iterator<Object> reversed(Object value) {
    if (value instanceof PythonGenerator) {
      throw new TemplateException("'generator' object is not reversible");
    }
    return Types.list(value).reversed().iterator();
  }

  private static Object reverse(Object value) {
    return switch (value) {
      case String text -> StringMethods.reverse(text);
      case Markup marked -> new Markup(StringMethods.reverse(marked.text()));
      case PythonGenerator lazy -> Types.list(lazy).reversed();
      default -> {
        Iterator<Object> items = reversed(value);
        yield new PythonGenerator(() -> items);
      }
    };
  }

  private static Iterator<Object> items(Object value) {
    return switch (value) {
      case Undefined undefined -> Types.iterate(undefined);
      case Dict dict -> Dict.View.items(dict).iterator();
      default -> throw new TemplateException("Can only get item pairs from a mapping.");
    };
  }

  private static Object join(Object[] values) {
    Function<Object, Object> part =
        values[2] instanceof None ? item -> item : attribute(values[2], None.NONE);
    return String.join(Text.of(values[1]), stream(values[0]).map(part).map(Text::of).toList());
  }

  /** Returns an attribute of an item, such as {@code "a.b"} or {@code 0}. */
  static Function<Object, Object> attribute(Object path, Object standard) {
    List<Object> steps =
        Text.is(path)
            ? Stream.of(Text.of(path).split("\\.", -1))
                .map(step -> step.matches("\\d+") ? (Object) Long.valueOf(step) : step)
                .toList()
            : List.of(path);
    return item -> {
      Object value = item;
      for (Object step : steps) {
        value = ItemAccess.item(value, step);
        value = value instanceof Undefined && !(standard instanceof None) ? standard : value;
      }
      return value;
    };
  }

  private static PythonGenerator map(Object value, Args args) {
    return new PythonGenerator(() -> whole(value).map(change(args)).iterator());
  }

  /** Returns the function of the filter or attribute in {@code args}. */
  private static Function<Object, Object> change(Args args) {
    if (!args.positional().isEmpty()) {
      return item -> Filters.apply(Text.of(args.positional().getFirst()), item, args.from(1));
    }
    Object path = args.named().get("attribute");
    if (path == null) {
      throw new TemplateException("map requires a filter argument");
    }
    return attribute(path, args.named().getOrDefault("default", None.NONE));
  }

  /** Returns the items of a sequence; none for a value that is falsy. */
  private static Stream<Object> whole(Object value) {
    return Types.truth(value) ? stream(value) : Stream.of();
  }

  private static PythonGenerator select(
      Object value, Function<Args, Predicate<Object>> test, Object args) {
    return new PythonGenerator(() -> whole(value).filter(test.apply((Args) args)).iterator());
  }

  private static PythonGenerator reject(
      Object value, Function<Args, Predicate<Object>> test, Object args) {
    return new PythonGenerator(
        () -> whole(value).filter(test.apply((Args) args).negate()).iterator());
  }

  private static Predicate<Object> tester(Args args) {
    return args.positional().isEmpty()
        ? Types::truth
        : item -> JinjaTests.apply(Text.of(args.positional().getFirst()), item, args.from(1));
  }

  private static Predicate<Object> attributeTester(Args args) {
    if (args.positional().isEmpty()) {
      throw new TemplateException("Missing parameter for attribute name");
    }
    Function<Object, Object> attribute = attribute(args.positional().getFirst(), None.NONE);
    Predicate<Object> tester = tester(args.from(1));
    return item -> tester.test(attribute.apply(item));
  }

  private static Object sum(Object[] values) {
    Function<Object, Object> part =
        values[1] instanceof None ? item -> item : attribute(values[1], None.NONE);
    return stream(values[0])
        .map(part)
        .reduce(values[2], (total, item) -> Operators.apply("+", total, item));
  }

  private static Iterator<Object> batch(Object[] values) {
    int size = Math.max(1, Numbers.index(values[1]));
    List<Object> items = Types.list(values[0]);
    List<Object> batches = new ArrayList<>();
    for (int i = 0; i < items.size(); i += size) {
      List<Object> batch = new ArrayList<>(items.subList(i, Math.min(items.size(), i + size)));
      while (batch.size() < size && !(values[2] instanceof None)) {
        batch.add(values[2]);
      }
      batches.add(batch);
    }
    return batches.iterator();
  }

  private static Iterator<Object> slice(Object[] values) {
    List<Object> items = Types.list(values[0]);
    int slices = Math.max(1, Numbers.index(values[1]));
    int longer = items.size() % slices;
    List<Object> all = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < slices; i++) {
      int end = start + items.size() / slices + (i < longer ? 1 : 0);
      List<Object> slice = new ArrayList<>(items.subList(start, end));
      if (i >= longer && !(values[2] instanceof None)) {
        slice.add(values[2]);
      }
      all.add(slice);
      start = end;
    }
    return all.iterator();
  }
}
