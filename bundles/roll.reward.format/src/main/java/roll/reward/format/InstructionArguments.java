package roll.reward.format;

import java.util.List;
import java.util.Map;

/**
 * The arguments of an instruction that responses can be checked by.
 *
 * @param values by name
 */
record InstructionArguments(Map<?, ?> values) {
  /** An argument is missing, or of another type. */
  static final class MissingArgument extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  String text(String name) {
    if (values.get(name) instanceof String text) {
      return text;
    }
    throw new MissingArgument();
  }

  List<String> all(String name) {
    if (values.get(name) instanceof List<?> list) {
      return list.stream().map(String::valueOf).toList();
    }
    throw new MissingArgument();
  }

  int number(String name) {
    if (values.get(name) instanceof Number number) {
      return number.intValue();
    }
    throw new MissingArgument();
  }
}
