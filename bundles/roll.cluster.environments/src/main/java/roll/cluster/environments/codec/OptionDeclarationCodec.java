package roll.cluster.environments.codec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.api.option.RawOptions;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;
import roll.cluster.services.codec.OptionCodec;
import roll.runtime.option.YamlOptions;

/** Options as plugins declare them. */
public final class OptionDeclarationCodec {
  private OptionDeclarationCodec() {}

  /** Writes all of it. */
  public static void write(ByteWriter out, Option<?> option) {
    out.text(option.name()).text(option.description());
    switch (option.type()) {
      case OptionType.Flag _ -> out.text("flag");
      case OptionType.Whole whole -> out.text("whole").int32(whole.least()).int32(whole.most());
      case OptionType.Decimal number ->
          out.text("decimal").float64(number.least()).float64(number.most());
      case OptionType.Text text -> out.text("text").list(text.words(), ByteWriter::text);
      case OptionType.Texts _ -> out.text("texts");
      case OptionType.Elements _ -> out.text("elements");
      case OptionType.Mapping _ -> out.text("mapping");
      case OptionType.Nested _ -> out.text("nested");
    }
    Object standard = option.defaultValue();
    OptionCodec.value(out, standard instanceof RawOptions nested ? nested.values() : standard);
  }

  /** As {@link #write} wrote it. */
  public static Option<?> read(ByteReader in) {
    String name = in.text();
    String description = in.text();
    String type = in.text();
    return switch (type) {
      case "flag" -> standard(Option.flag(name, description), value(in, Boolean.class));
      case "whole" -> {
        Option<Integer> option = Option.integer(name, in.int32(), in.int32(), description);
        yield standard(option, value(in, Integer.class));
      }
      case "decimal" -> {
        Option<Double> option = Option.number(name, in.float64(), in.float64(), description);
        yield standard(option, value(in, Double.class));
      }
      case "text" -> {
        Option<String> option = Option.word(name, in.list(ByteReader::text), description);
        yield standard(option, value(in, String.class));
      }
      case "texts" -> standard(Option.texts(name, description), texts(in));
      case "elements" -> standard(Option.list(name, description), texts(in));
      case "mapping" -> standard(Option.mapping(name, description), mapping(in));
      case "nested" -> standard(Option.nested(name, description), nested(name, in));
      default -> throw new MalformedMessageException("there are no options of type " + type);
    };
  }

  private static <T> Option<T> standard(Option<T> option, @Nullable T value) {
    return value == null ? option : option.withDefault(value);
  }

  private static <T> @Nullable T value(ByteReader in, Class<T> type) {
    return type.cast(OptionCodec.value(in));
  }

  private static @Nullable RawOptions nested(String name, ByteReader in) {
    Map<?, ?> given = value(in, Map.class);
    if (given == null) {
      return null;
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    given.forEach((key, value) -> values.put(String.valueOf(key), value));
    return YamlOptions.of(name, values);
  }

  private static @Nullable List<String> texts(ByteReader in) {
    List<?> given = value(in, List.class);
    return given == null ? null : given.stream().<String>map(String::valueOf).toList();
  }

  private static @Nullable Map<String, String> mapping(ByteReader in) {
    Map<?, ?> given = value(in, Map.class);
    if (given == null) {
      return null;
    }
    Map<String, String> values = new LinkedHashMap<>();
    given.forEach((key, value) -> values.put(String.valueOf(key), String.valueOf(value)));
    return values;
  }
}
