import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs that are killed, that lose their card, share it, or find it full. */
class FaultChecks {
  /** Memory of the card that another program leaves, MiB: too little for a run. */
  private static final int LEFT = 700;

  private FaultChecks() {}

  static List<CardCheck> all(CardSetup setup) {
    return List.of(
        new CardCheck("killed", 180, false, programs -> killed(setup, programs, Map.of())),
        new CardCheck(
            "card-gone",
            180,
            false,
            programs -> killed(setup, programs, Map.of("CUDA_VISIBLE_DEVICES", "-1"))),
        new CardCheck("two-processes", 180, false, programs -> two(setup, programs)),
        new CardCheck("card-full", 180, true, programs -> full(setup, programs)));
  }

  private static TrainedRun run(CardSetup setup, String name, int steps) {
    return TrainedRun.lake(
        setup,
        name,
        "frozen_lake",
        steps,
        List.of("save_steps=1", "resume_from_checkpoint=true", "async_save_ckpt=false"));
  }

  /** Kills a run after its first checkpoint and resumes it with other variables. */
  private static String killed(CardSetup setup, Programs programs, Map<String, String> variables)
      throws Exception {
    String name = variables.isEmpty() ? "killed" : "card-gone";
    TrainedRun run = run(setup, name, 6);
    Programs.Program first = run.start(programs);
    programs.await(first, run.folder().resolve("checkpoint-1/config.json"));
    first.kill();
    int left = run.steps() - checkpoints(run.folder());
    programs.succeed(programs.roll(variables, run.arguments()));
    return "killed with %d steps to train, resumed: %s".formatted(left, run.figure());
  }

  private static int checkpoints(Path folder) {
    int newest = 0;
    while (Files.exists(folder.resolve("checkpoint-" + (newest + 1)))) {
      newest++;
    }
    return newest;
  }

  /** Trains in two processes at once. */
  private static String two(CardSetup setup, Programs programs) throws Exception {
    TrainedRun one = TrainedRun.lake(setup, "one-of-two", "frozen_lake", 4, List.of());
    TrainedRun other = TrainedRun.lake(setup, "other-of-two", "frozen_lake", 4, List.of());
    Programs.Program first = one.start(programs);
    Programs.Program second = other.start(programs);
    programs.succeed(first);
    programs.succeed(second);
    return one.figure() + "; " + other.figure();
  }

  /**
   * Resumes a run while another program holds the memory of the card: it must end with a line, and
   * continue afterwards.
   */
  private static String full(CardSetup setup, Programs programs) throws Exception {
    if (setup.cpu()) {
      throw new CardSkipped("only on a card");
    }
    if (setup.python().isEmpty()) {
      throw new CardSkipped("needs --python");
    }
    TrainedRun run = run(setup, "card-full", 1);
    run.train(programs);
    TrainedRun more = run.with(3);
    Path held = setup.folder().resolve("held");
    Files.deleteIfExists(held);
    Programs.Program holder =
        programs.start(
            Map.of(),
            List.of(setup.interpreter(), "cnf/card/beside.py", "hold", "" + LEFT, held.toString()));
    programs.await(holder, held);
    Programs.Program refused = more.start(programs);
    int status = programs.end(refused);
    holder.kill();
    String said = Programs.tail(refused.text());
    long lines = said.lines().count();
    if (status < 1 || status > 2 || refused.text().contains("\tat ")) {
      throw new CardFailure("status %d: %s".formatted(status, said));
    }
    String after = more.train(programs);
    return String.format(
        Locale.ROOT,
        "status %d: %s%nafterwards %s",
        status,
        said.lines().skip(Math.max(0, lines - 1)).findFirst().orElse(""),
        after);
  }
}
