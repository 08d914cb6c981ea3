package roll.env.terminal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.workspace.CommandResult;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceCommand;
import roll.env.terminal.task.TerminalTask;

/**
 * Grades a workspace by the tests of its task. They are copied there only now, to a folder whose
 * name no command of the agent knows, so that no file can take their place. In their texts {@code
 * /tests} and {@code /logs/verifier} are replaced by this folder.
 *
 * @param task the task
 * @param most maximum time, beside that of the task
 */
record Verifier(TerminalTask task, Duration most) {
  private static final Pattern ABSOLUTE =
      Pattern.compile("(?<![\\w.\\-/~$}])/(tests|logs/verifier)(?![\\w.\\-])");
  private static final String LOGS = "logs/verifier";
  private static final int OUTPUT = 4096;
  private static final long MOST_REWARD = 1 << 16;
  private static final long MOST_REWRITTEN = 1 << 20;

  /**
   * The verdict.
   *
   * @param reward 0 if the tests give none
   * @param failed whether the tests could not be run to their end, or gave no reward
   * @param metrics by name
   */
  record Verdict(double reward, boolean failed, Map<String, Double> metrics) {
    /** The verdict of tests that failed. */
    static final Verdict FAILED = new Verdict(0, true, Map.of());
  }

  /**
   * Runs the tests.
   *
   * @throws IOException if the workspace is lost
   */
  Verdict verify(Workspace workspace) throws IOException, InterruptedException {
    String place = ".verifier-" + UUID.randomUUID();
    String absolute = workspace.directory() + "/" + place;
    try {
      workspace.copy(task.verifier().folder(), place + "/tests");
      rewrite(workspace, place, absolute);
      workspace.write(place + "/" + LOGS + "/test-stdout.txt", new byte[0]);
    } catch (IOException e) { // the agent left no room
      return Verdict.FAILED;
    }
    Map<String, String> variables = new HashMap<>(task.environment());
    variables.putAll(task.verifier().environment());
    Duration time = task.verifier().time().compareTo(most) < 0 ? task.verifier().time() : most;
    List<String> words = List.of("/bin/bash", absolute + "/tests/test.sh");
    CommandResult done = workspace.run(new WorkspaceCommand(words, variables, time, OUTPUT));
    return done.outcome() == CommandResult.Outcome.EXITED
        ? verdict(workspace, place + "/" + LOGS, done)
        : Verdict.FAILED;
  }

  private void rewrite(Workspace workspace, String place, String absolute) throws IOException {
    Path tests = task.verifier().folder();
    try (Stream<Path> files = Files.walk(tests)) {
      for (Path file : files.toList()) {
        String text = text(file);
        if (text != null) {
          Matcher found = ABSOLUTE.matcher(text);
          String here = found.replaceAll(Matcher.quoteReplacement(absolute) + "/$1");
          if (!here.equals(text)) {
            workspace.write(
                place + "/tests/" + tests.relativize(file), here.getBytes(StandardCharsets.UTF_8));
          }
        }
      }
    }
  }

  /** Returns the text of a small regular file; null for others. */
  private static @Nullable String text(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || Files.size(file) > MOST_REWRITTEN) {
      return null;
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static Verdict verdict(Workspace workspace, String logs, CommandResult done) {
    RewardFile given = reward(workspace, logs + "/reward.json", RewardFile::ofJson);
    if (given == null) {
      given = reward(workspace, logs + "/reward.txt", RewardFile::ofText);
    }
    if (given == null) {
      return new Verdict(done.status() == 0 ? 1 : 0, false, Map.of());
    }
    if (given.reward().isEmpty()) {
      return Verdict.FAILED;
    }
    Map<String, Double> metrics = new LinkedHashMap<>();
    given.parts().forEach((name, value) -> metrics.put("verifier/" + name, value));
    return new Verdict(given.reward().getAsDouble(), false, metrics);
  }

  /** Returns the content of a reward file; null if there is none. */
  private static @Nullable RewardFile reward(
      Workspace workspace, String path, Function<String, RewardFile> parser) {
    try {
      byte[] bytes = workspace.read(path, MOST_REWARD);
      return parser.apply(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return null;
    }
  }
}
