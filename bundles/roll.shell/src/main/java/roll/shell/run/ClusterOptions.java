package roll.shell.run;

import java.util.ArrayList;
import java.util.List;
import roll.runtime.config.DevicesConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;

/** The options of {@code plan} that describe a hypothetical cluster. */
final class ClusterOptions {
  static final String GPUS = "--gpus";

  private static final String WIRE = "--wire";
  private static final String LINK = "--link";
  private static final String TFLOPS = "--tflops";
  private static final String MEMORY = "--memory-bandwidth";

  private static final int DEFAULT_PER_NODE = 8;
  private static final int MAX_GPUS = 1 << 20;

  /** Defaults: machines with eight H100 GPUs at 40 % of their peak FLOP/s. */
  static final List<Option> ALL =
      List.of(
          Option.optional(
              GPUS, "n,n,…", "also print traffic and time of a step on these numbers of GPUs"),
          Option.one(WIRE, "Gbit/s", "400", "bandwidth between machines"),
          Option.one(LINK, "GB/s", "450", "bandwidth between the GPUs of a machine"),
          Option.one(TFLOPS, "n", "400", "TFLOP/s that a GPU reaches"),
          Option.one(MEMORY, "GB/s", "3350", "memory bandwidth of a GPU"));

  private ClusterOptions() {}

  /**
   * Returns the cluster that the options describe.
   *
   * @param devices of the configuration, with the number of GPUs per machine
   * @throws roll.api.option.UserException if a number is invalid
   */
  static ClusterShape read(Syntax syntax, Arguments given, DevicesConfig devices) {
    List<Integer> gpus = new ArrayList<>();
    for (String word : given.text(GPUS).split(",", -1)) {
      try {
        gpus.add(Integer.parseInt(word.strip()));
      } catch (NumberFormatException e) {
        gpus.add(0);
      }
    }
    if (gpus.stream().anyMatch(count -> count < 1 || count > MAX_GPUS)) {
      throw syntax.wrong(
          GPUS
              + ": expected integers from 1 to "
              + MAX_GPUS
              + " separated by commas, found '"
              + given.text(GPUS)
              + "'");
    }
    int perNode =
        devices.count() > 0 ? Math.max(1, devices.count() / devices.nodes()) : DEFAULT_PER_NODE;
    return new ClusterShape(
        gpus.stream().distinct().sorted().toList(),
        perNode,
        rate(syntax, given, WIRE) * 1e9 / 8,
        rate(syntax, given, LINK) * 1e9,
        rate(syntax, given, TFLOPS) * 1e12,
        rate(syntax, given, MEMORY) * 1e9);
  }

  private static double rate(Syntax syntax, Arguments given, String option) {
    double rate = given.number(option);
    if (rate > 0 && rate < Double.POSITIVE_INFINITY) {
      return rate;
    }
    throw syntax.wrong(option + ": expected a number above 0, found '" + given.text(option) + "'");
  }
}
