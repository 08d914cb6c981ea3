package roll.shell.syntax;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.runtime.option.OptionValue;

/** Describes the options of a plugin as text or JSON. */
public final class OptionText {
  private OptionText() {}

  /** Returns two lines per option: name and description; type, range and default. */
  public static String of(List<Option<?>> options) {
    StringBuilder lines = new StringBuilder();
    for (Option<?> option : options) {
      lines.append(option.name()).append(": ").append(option.description()).append("\n  ");
      lines.append(type(option.type()));
      if (option.defaultValue() != null) {
        lines.append(", default ").append(oneLine(option.defaultValue()));
      }
      lines.append('\n');
    }
    return lines.toString();
  }

  /** Returns name, type, range, standard (the default) and meaning of each option. */
  public static List<Map<String, Object>> json(List<Option<?>> options) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Option<?> option : options) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", option.name());
      one.put("type", OptionValue.name(option.type()).toUpperCase(Locale.ROOT));
      String range = OptionValue.range(option.type());
      if (!range.isEmpty()) {
        one.put("range", range);
      }
      if (option.defaultValue() != null) {
        one.put("standard", option.defaultValue());
      }
      one.put("meaning", option.description());
      all.add(one);
    }
    return all;
  }

  private static String type(OptionType<?> type) {
    String range = OptionValue.range(type);
    return OptionValue.name(type)
        + (range.isEmpty() ? "" : type instanceof OptionType.Text ? ", " + range : " " + range);
  }

  private static String oneLine(Object value) {
    return OptionValue.written(value).replace("\n", "\\n");
  }
}
