package roll.shell.run;

import java.util.ArrayList;
import java.util.List;
import roll.runtime.config.DevicesConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;

/** The options of {@code plan} on machines that need not be here. */
final class ClusterOptions {
  static final String GPUS = "--gpus";

  private static final String WIRE = "--wire";
  private static final String LINK = "--link";
  private static final String TFLOPS = "--tflops";
  private static final String MEMORY = "--memory-bandwidth";

  private static final int USUAL_PER_NODE = 8;
  private static final int MOST = 1 << 20;

  /** Standards: machines of eight H100, of whose operations four tenths are reached. */
  static final List<Option> ALL =
      List.of(
          Option.optional(
              GPUS,
              "n,n,…",
              "also what a step sends and how long it takes on so many accelerators"),
          Option.one(WIRE, "Gbit/s", "400", "what a machine can send to others"),
          Option.one(LINK, "GB/s", "450", "what an accelerator can send to others of its machine"),
          Option.one(TFLOPS, "n", "400", "10¹² operations a second that an accelerator reaches"),
          Option.one(MEMORY, "GB/s", "3350", "what an accelerator reads from its memory"));

  private ClusterOptions() {}

  /**
   * What they say.
   *
   * @param devices of the configuration, which says how many a machine has
   * @throws roll.api.option.UserException if a number is wrong
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
    if (gpus.stream().anyMatch(count -> count < 1 || count > MOST)) {
      throw syntax.wrong(
          GPUS
              + ": expected integers from 1 to "
              + MOST
              + " with commas between, found '"
              + given.text(GPUS)
              + "'");
    }
    int perNode =
        devices.count() > 0 ? Math.max(1, devices.count() / devices.nodes()) : USUAL_PER_NODE;
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
