package roll.shell.syntax;

import java.util.List;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.runtime.option.OptionValue;

/** The options of a plugin as people read them, made from their declarations. */
public final class OptionLines {
  private OptionLines() {}

  /** Two lines for each option: its name and description; its type, range and default. */
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

  private static String type(OptionType<?> type) {
    String range = OptionValue.range(type);
    return OptionValue.name(type)
        + (range.isEmpty() ? "" : type instanceof OptionType.Text ? ", " + range : " " + range);
  }

  private static String oneLine(Object value) {
    return OptionValue.written(value).replace("\n", "\\n");
  }
}
