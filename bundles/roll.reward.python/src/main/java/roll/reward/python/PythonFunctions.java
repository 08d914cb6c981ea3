package roll.reward.python;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.bridge.PythonScript;

/**
 * The functions of a reward, by the options that name them.
 *
 * @param written each as {@code /absolute/file.py:name} or {@code module.name}
 * @param weights of each
 * @param shown as the configuration has them
 * @param each whether there may be several, each with its score as a detail
 */
record PythonFunctions(List<String> written, List<Double> weights, String shown, boolean each) {
  private static final Option<String> PATH =
      Option.text("path", "the Python file; modules beside it can be imported");
  private static final Option<String> NAME =
      Option.text(
              "name",
              "its function of data_source, solution_str, ground_truth and extra_info, or TRL's of"
                  + " completions")
          .withDefault("compute_score");
  private static final Option<List<String>> FUNCTIONS =
      Option.texts(
          "reward_funcs",
          "in place of path and name: functions, as module.function or file.py:function");
  private static final Option<List<String>> WEIGHTS =
      Option.list("reward_weights", "weights of reward_funcs; by default each 1");

  /** The options that name functions. */
  static final List<Option<?>> OPTIONS = List.of(PATH, NAME, FUNCTIONS, WEIGHTS);

  /**
   * Reads the functions of {@code options}.
   *
   * @throws roll.api.option.UserException if there is none, a file is missing, or a weight is wrong
   */
  static PythonFunctions of(Options options) {
    boolean each = options.has(FUNCTIONS);
    List<String> written =
        each
            ? options.get(FUNCTIONS).stream().map(PythonScript::absolute).toList()
            : List.of(PythonScript.absolute(file(options) + ":" + options.get(NAME)));
    if (written.isEmpty()) {
      throw options.wrong(FUNCTIONS, "at least one function");
    }
    return new PythonFunctions(
        written,
        weights(options, written.size()),
        each ? String.join(", ", options.get(FUNCTIONS)) : options.get(PATH),
        each);
  }

  private static String file(Options options) {
    if (!Files.isRegularFile(Path.of(options.get(PATH)))) {
      throw options.wrong(PATH, "a Python file");
    }
    return options.get(PATH);
  }

  private static List<Double> weights(Options options, int count) {
    if (!options.has(WEIGHTS)) {
      return Collections.nCopies(count, 1.0);
    }
    try {
      List<Double> weights = options.get(WEIGHTS).stream().map(Double::valueOf).toList();
      if (weights.size() == count && weights.stream().allMatch(Double::isFinite)) {
        return weights;
      }
    } catch (NumberFormatException _) {
      // refused below
    }
    throw options.wrong(WEIGHTS, "a number for each of " + count + " functions");
  }
}
