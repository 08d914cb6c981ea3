package roll.shell.tour;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;
import org.apache.felix.service.command.Function;
import roll.api.option.UserException;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.command.Command;
import roll.shell.tour.TourText.Prompt;
import roll.shell.tour.TourText.Step;

/** Runs the commands of a tour in a session and a folder of its own; undoes them when closed. */
final class TourRun implements AutoCloseable {
  /** The bundle that the tour deploys. */
  static final String BUNDLE = "tour_walk";

  private static final String TRAIN = "train";
  private static final String DEPLOY = "deploy";
  private static final int STEPS = 2;
  private static final long LOOK_MILLIS = 100;

  private final CommandSession session;
  private final PrintStream out;
  private final Path folder;
  private final Trainer trainer;
  private final List<String> keys;
  private final Set<Integer> others;
  private boolean deployed;

  /**
   * Creates the tour's run; closes {@code session} with it.
   *
   * @param keys keys that every {@code train} gets
   */
  TourRun(CommandSession session, Path folder, Trainer trainer, List<String> keys) {
    this.session = session;
    this.out = session.getConsole();
    this.folder = folder;
    this.trainer = trainer;
    this.keys = keys;
    this.others = trainer.runs().stream().map(TrainingRun::number).collect(Collectors.toSet());
    session.currentDir(folder);
  }

  /** Returns the command of {@code step} with the keys of this tour. */
  List<String> words(Step step) {
    List<String> words = new ArrayList<>(step.words());
    if (step.prompt() == Prompt.ROLL && words.getFirst().equals(TRAIN)) {
      words.addAll(keys);
    }
    return words;
  }

  /**
   * Runs the command of {@code step}; one that cannot run here is skipped with a line.
   *
   * @throws InterruptedException if the command or the thread was interrupted
   */
  void perform(Step step) throws Exception {
    List<String> words = words(step);
    try {
      if (step.prompt() == Prompt.SYSTEM) {
        program(words);
      } else {
        command(words);
      }
    } catch (UserException e) {
      out.println("skipped: " + e.getMessage());
    }
    settle();
  }

  private void command(List<String> words) throws Exception {
    String name = words.getFirst();
    if (!(session.get("roll:" + name) instanceof Function command)) {
      throw new UserException("this distribution has no command '" + name + "'");
    }
    deployed |= name.equals(DEPLOY);
    Object result = command.execute(session, new ArrayList<>(words.subList(1, words.size())));
    if (result != null) {
      out.println(session.format(result, Converter.INSPECT));
    }
    if (Integer.valueOf(Command.INTERRUPTED).equals(session.get("exit"))) {
      throw new InterruptedException();
    }
  }

  private void program(List<String> words) throws InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UserException("there is no program '" + words.getFirst() + "'", e);
    }
    Thread printing =
        Thread.ofVirtual()
            .start(() -> process.inputReader(StandardCharsets.UTF_8).lines().forEach(out::println));
    try {
      int status = process.waitFor();
      printing.join();
      if (status != 0) {
        throw new UserException(words.getFirst() + " ended with status " + status);
      }
    } finally {
      process.destroy();
    }
  }

  /** Waits until active runs have taken up a command, and prints their steps. */
  private void settle() throws InterruptedException {
    for (TrainingRun run : active()) {
      int enough = run.status().step() + STEPS;
      while (run.status().state().active()
          && run.status().state() != State.WAITING
          && run.status().step() < enough) {
        Thread.sleep(LOOK_MILLIS);
      }
      out.printf(
          "run %d: %s, %d steps%n",
          run.number(),
          run.status().state().name().toLowerCase(java.util.Locale.ROOT),
          run.status().step());
    }
  }

  private List<TrainingRun> active() {
    return trainer.runs().stream()
        .filter(run -> !others.contains(run.number()) && run.status().state().active())
        .toList();
  }

  /** Stops the tour's runs and removes its bundle, also if the thread is interrupted. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    try (session) {
      List<TrainingRun> runs = active();
      runs.forEach(TrainingRun::stop);
      runs.forEach(run -> run.outcome().handle((outcome, failure) -> true).join());
      if (deployed) {
        undeploy();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void undeploy() {
    try {
      command(List.of("undeploy", BUNDLE));
    } catch (UserException e) {
      // a step of the tour has removed it, or it was refused
    } catch (Exception e) {
      out.println(BUNDLE + " is still deployed: " + e);
    }
  }
}
