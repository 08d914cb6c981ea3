package roll.collectives.gloo;

import java.nio.file.Path;
import java.util.List;
import roll.parallel.ZeroBench;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.parallel.collective.ThreadCollectives;

/**
 * Measures ZeRO's stage 3 over two threads ({@code threads STEPS SAMPLES LENGTH MICRO}) or, started
 * twice, over two processes ({@code RANK STEPS SAMPLES LENGTH MICRO FOLDER}, an empty folder).
 */
final class ZeroBenchMain {
  private ZeroBenchMain() {}

  public static void main(String[] arguments) {
    int[] numbers = new int[4];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Integer.parseInt(arguments[i + 1]);
    }
    ZeroBench.Shape shape = new ZeroBench.Shape(numbers[0], numbers[1], numbers[2], numbers[3]);
    if (arguments[0].equals("threads")) {
      RankGroup here = RankGroup.here("bench", List.of(RankLocation.CPU, RankLocation.CPU));
      ZeroBench.run(new ThreadCollectives(), here, LocalProcess.alone(), shape);
    } else {
      LocalProcess site =
          new LocalProcess("process-" + arguments[0], new FileRendezvous(Path.of(arguments[5])));
      ZeroBench.run(GlooContractTest.collectives(), ZeroBench.group(2), site, shape);
    }
    System.exit(0);
  }
}
