import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Checks a machine with an NVIDIA card: {@code java cnf/card/Card.java <folder> [--python
 * <environment>] [--djl <sources>] [--cpu] [key=value …] [check …]}.
 *
 * <p>It runs from a source tree that was built, or from a distribution with {@code configs/} and
 * {@code cnf/card/} beside its {@code roll}, without Maven and network. Each check is a line as
 * soon as it ends; {@code card.md} and the logs are in the folder. A check that fails, crashes or
 * is not done in its time is a failed line, and the next one starts. {@code --python} names the
 * environment whose PyTorch computes, {@code --djl} the sources of DJL if its JNI library must be
 * compiled. {@code --cpu} tries the checks with small sizes on the cores. Without words all checks
 * run, the first of which are worth most. Keys: {@code budget=600} seconds, {@code jobs=4} checks
 * of correctness at once, {@code samples=1024 tokens=512} of the GRPO step, {@code roll=./roll}.
 *
 * <p>Status: 0, 1 if a check failed, 2 if the arguments are wrong.
 */
class Card {
  /** Seconds with which a check is worth starting. */
  private static final double LEAST = 5;

  private final CardSetup setup;
  private final CardReport report;

  private Card(CardSetup setup, CardReport report) {
    this.setup = setup;
    this.report = report;
  }

  static void main(String[] arguments) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(Programs::killAll));
    try {
      CardSetup setup = CardSetup.of(List.of(arguments));
      List<CardCheck> checks = wanted(setup);
      Files.createDirectories(setup.folder().resolve("logs"));
      System.exit(new Card(setup, new CardReport(setup)).run(checks) ? 0 : 1);
    } catch (IllegalArgumentException wrong) {
      System.err.println("card: " + wrong.getMessage());
      System.exit(2);
    }
  }

  private static List<CardCheck> wanted(CardSetup setup) {
    List<CardCheck> all = new ArrayList<>(StartChecks.all(setup));
    all.addAll(TrainingChecks.all(setup));
    all.addAll(FaultChecks.all(setup));
    all.addAll(FigureChecks.all(setup));
    List<String> names = all.stream().map(CardCheck::name).toList();
    for (String word : setup.words()) {
      if (!names.contains(word)) {
        throw new IllegalArgumentException(
            "no check '" + word + "'; there are " + String.join(", ", names));
      }
    }
    List<String> words = setup.words().isEmpty() ? names : setup.words();
    return all.stream().filter(check -> words.contains(check.name())).toList();
  }

  /** Returns whether no check failed. */
  private boolean run(List<CardCheck> checks) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(setup.jobs())) {
      for (CardCheck check : checks) {
        if (check.alone()) {
          finish(running);
          run(check);
        } else {
          running.add(pool.submit(() -> run(check)));
        }
      }
      finish(running);
    }
    return report.end();
  }

  private static void finish(List<Future<?>> running) throws Exception {
    for (Future<?> each : running) {
      var unused = each.get();
    }
    running.clear();
  }

  private void run(CardCheck check) {
    double limit = Math.min(check.seconds(), setup.left());
    if (limit < LEAST) {
      report.add(check, CardReport.Status.SKIPPED, 0, "the budget is spent", "");
      return;
    }
    long start = System.nanoTime();
    CardReport.Status status;
    String figure;
    Path log = setup.folder().resolve("logs").resolve(check.name() + ".log");
    Programs programs = new Programs(setup, log, limit);
    try (programs) {
      figure = check.work().run(programs);
      status = CardReport.Status.OK;
    } catch (CardSkipped reason) {
      figure = reason.getMessage();
      status = CardReport.Status.SKIPPED;
    } catch (Exception failure) {
      figure = failure instanceof CardFailure ? failure.getMessage() : failure.toString();
      status = CardReport.Status.FAILED;
    }
    double seconds = (System.nanoTime() - start) * 1e-9;
    report.add(check, status, seconds, figure, programs.command());
  }
}
