package roll.core.trajectory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.runtime.config.RolloutMockConfig;
import roll.runtime.config.RolloutMockConfig.Mode;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RolloutResult;
import roll.testkit.CharacterTokenizer;
import roll.testkit.ExampleRunConfigs;

/**
 * Rollout files of a run with 12 trajectories per step in groups of 3, with at most 64 tokens each.
 */
class RolloutFilesTest {
  private static final double[] NUMBERS = {
    0.1, -0.0, Double.MIN_VALUE, Double.NaN, Double.NEGATIVE_INFINITY, Math.nextUp(1.0)
  };
  private static final long[] STATES = {Long.MIN_VALUE, (1L << 53) + 1, Long.MAX_VALUE};

  private final Path folder;
  private final RunConfig run;
  private final RolloutFiles files;
  private final Path file;

  RolloutFilesTest(@TempDir Path folder) {
    this.folder = folder;
    run = ExampleRunConfigs.small(folder, 1);
    files = new RolloutFiles(run, folder, new CharacterTokenizer(200));
    file = folder.resolve("train/step_000002.jsonl");
  }

  private static RolloutResult rollout(int trajectories) {
    List<Trajectory> played = new ArrayList<>();
    for (int i = 0; i < trajectories; i++) {
      played.add(
          new Trajectory(
                  new TrajectoryKey("Game", i / 3, 7, i % 3, 2L * i),
                  List.of(
                      new Sequence(
                          new int[] {'a', 0x1F9CA, '"', '\n', 1, 2},
                          new int[] {-1, 0, 1, 1, 2, 2},
                          NUMBERS,
                          new long[] {-1, 0, 1, 1, 1, Long.MAX_VALUE})),
                  new double[] {0.1 + 0.2, Double.POSITIVE_INFINITY, -0.0},
                  STATES,
                  List.of(new Message("user", "a\u2028\"<b>"), new Message("assistant", "")),
                  new LinkedHashMap<>(Map.of("success", 1.0 / 3, "bad", Double.NaN)),
                  "max_steps")
              .withCut(i % 2 == 0 ? List.of() : List.of(0, 2)));
    }
    return new RolloutResult(
        played,
        Map.of("env/x", 0.1, "env/y", Double.NaN, "time/rollout_env", 3.0),
        Map.of(),
        List.of(),
        Set.of());
  }

  /** Everything but times, bit for bit. */
  @Test
  void whatWasWrittenIsRead() {
    RolloutResult written = rollout(12);
    files.write("train", 2, written);
    RolloutResult read = files.read("train", 2);
    assertEquals(Map.of("env/x", 0.1, "env/y", Double.NaN), read.metrics());
    assertEquals(12, read.trajectories().size());
    for (int i = 0; i < 12; i++) {
      Trajectory expected = written.trajectories().get(i);
      Trajectory found = read.trajectories().get(i);
      assertEquals(expected.id(), found.id());
      assertEquals(expected.messages(), found.messages());
      assertEquals(expected.metrics(), found.metrics());
      assertEquals(expected.finish(), found.finish());
      assertEquals(expected.cut(), found.cut());
      assertArrayEquals(expected.rewards(), found.rewards());
      assertArrayEquals(STATES, found.states());
      Sequence sequence = found.sequences().getFirst();
      assertArrayEquals(expected.sequences().getFirst().tokens(), sequence.tokens());
      assertArrayEquals(expected.sequences().getFirst().turns(), sequence.turns());
      assertArrayEquals(expected.sequences().getFirst().versions(), sequence.versions());
      assertArrayEquals(NUMBERS, sequence.logProbs());
      for (int t = 0; t < NUMBERS.length; t++) {
        assertEquals(
            Double.doubleToLongBits(NUMBERS[t]), Double.doubleToLongBits(sequence.logProbs()[t]));
      }
    }
  }

  @Test
  void linesAreJsonWithTheTextOfEachToken() throws IOException {
    files.write("train", 2, rollout(12));
    List<String> lines = Files.readAllLines(file);
    assertEquals(13, lines.size());
    assertEquals(
        "{\"rollout\":\"train\",\"step\":2,\"seed\":42,\"group_size\":3,\"rollout_batch_size\":12,"
            + "\"vocabulary\":200,\"metrics\":{",
        lines.getFirst().substring(0, lines.getFirst().indexOf("\"env/")));
    var sequence =
        JsonParser.parseString(lines.get(1))
            .getAsJsonObject()
            .getAsJsonArray("sequences")
            .get(0)
            .getAsJsonObject();
    assertEquals("\uD83E\uDDCA", sequence.getAsJsonArray("texts").get(1).getAsString());
    assertTrue(lines.get(1).contains("\"NaN\",\"-Infinity\""), lines.get(1));
  }

  @Test
  void aRolloutOfAnotherRunIsRefused() throws IOException {
    files.write("train", 2, rollout(12));
    refused(
        1,
        line -> line.replace("\"seed\":42", "\"seed\":41"),
        "the rollout was dumped with seed 41, this run has 42");
    refused(
        1,
        line -> line.replace("\"group_size\":3", "\"group_size\":4"),
        "the rollout was dumped with group_size 4, this run has 3");
    refused(
        1,
        line -> line.replace("_size\":12", "_size\":24"),
        "the rollout was dumped with rollout_batch_size 24, this run has 12");
    refused(
        1,
        line -> line.replace("\"rollout\":\"train\"", "\"rollout\":\"val\""),
        "the rollout was dumped with rollout val, this run has train");
    refused(1, line -> line.replace("\"seed\":42,", ""), "'seed' is missing");
    refused(1, line -> line.replace("\"metrics\"", "\"metric\""), "'metrics' is missing");
  }

  @Test
  void aBrokenLineIsNamed() throws IOException {
    files.write("train", 2, rollout(12));
    refused(4, line -> line.substring(0, 100), "the line is broken, or no JSON object");
    refused(4, line -> line + "}", "the line is broken, or no JSON object");
    refused(4, line -> "", "expected a JSON object");
    refused(4, line -> "[1]", "expected a JSON object");
    refused(
        4, line -> line.replace("0.1,-0.0", "\"x\",-0.0"), "'log_probs' is not what it should be");
    refused(
        4,
        line -> line.replace("0.1,-0.0", "0.1"),
        "tokens, turns, log-probs and versions do not fit");
    refused(
        4,
        line -> line.replace("\"turns\":[-1,", "\"turns\":[3,"),
        "a token of turn 3, but 3 rewards");
    refused(
        4,
        line -> line.replace("\"turns\":[-1,", "\"turns\":[0.5,"),
        "'turns' is not what it should be");
    refused(4, line -> line.replace("\"member\":2,", ""), "'member' is missing");
    refused(
        4, line -> line.replace("\"messages\":[{", "\"messages\":[null,{"), "'messages' has a gap");
    refused(
        4,
        line -> line.replace("\"metrics\":{", "\"metrics\":{\"x\":null,"),
        "'metrics' is not what it should be");
    refused(4, line -> line.replace("" + Long.MIN_VALUE + ",", ""), "2 states, 3 rewards");
    refused(13, line -> null, "the file ends after 11 trajectories, expected 12");
  }

  @Test
  void anotherVocabularyIsRefused() {
    files.write("train", 2, rollout(12));
    RolloutFiles words = new RolloutFiles(run, folder, new CharacterTokenizer(300));
    assertEquals(
        "rollout_mock.dump_dir: "
            + file
            + ":1: the rollout was dumped with vocabulary 200, this run has 300",
        userError(() -> words.read("train", 2)));
  }

  @Test
  void sequencesThatAreTooLongAreRefused() {
    int[] tokens = new int[65];
    Sequence sequence = new Sequence(tokens, tokens, new double[65], new long[65]);
    Trajectory first = rollout(1).trajectories().getFirst();
    Trajectory longer =
        new Trajectory(
            new TrajectoryKey("Game", 0, 0, 0, 2),
            List.of(sequence),
            first.rewards(),
            STATES,
            List.of(),
            Map.of(),
            "max_length");
    files.write(
        "train",
        2,
        new RolloutResult(List.of(first, longer), Map.of(), Map.of(), List.of(), Set.of()));
    assertEquals(
        "rollout_mock.dump_dir: " + file + ":3: a sequence of 65 tokens, and sequence_length is 64",
        userError(() -> files.read("train", 2)));
  }

  private void refused(int number, UnaryOperator<String> change, String reason) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    List<String> before = List.copyOf(lines);
    String changed = change.apply(lines.get(number - 1));
    lines.remove(number - 1);
    if (changed != null) {
      lines.add(number - 1, changed);
    }
    Files.write(file, lines);
    String where = file + ":" + (changed == null ? number - 1 : number);
    assertEquals(
        "rollout_mock.dump_dir: " + where + ": " + reason, userError(() -> files.read("train", 2)));
    Files.write(file, before);
  }

  /** Before anything is computed: 3 steps, validated before each and at the end. */
  @Test
  void whatIsMissingIsFoundAtTheStart() {
    RolloutMockConfig mock = new RolloutMockConfig(Mode.MOCK, folder);
    RolloutMockConfig dump = new RolloutMockConfig(Mode.DUMP, folder);
    assertEquals(
        "rollout_mock: rollouts are written into " + folder, RolloutFiles.check(run, dump));
    for (int step = 0; step < 3; step++) {
      files.write("train", step, rollout(12));
    }
    for (int step = 0; step < 3; step++) {
      files.write("val", step, rollout(5));
    }
    assertEquals(
        "rollout_mock.dump_dir: no file "
            + folder.resolve("val/step_000003.jsonl")
            + " (val holds 3 rollouts): dump with the max_steps and eval_steps of this run, or"
            + " lower them",
        userError(() -> RolloutFiles.check(run, mock)));
    files.write("val", 3, rollout(5));
    assertEquals(
        "rollout_mock: rollouts are read from " + folder + ", no environment is played",
        RolloutFiles.check(run, mock));
    assertEquals(
        "rollout_mock.dump_dir: "
            + folder.resolve("train/step_000000.jsonl")
            + " is there already: name another folder, or delete what this one holds",
        userError(() -> RolloutFiles.check(run, dump)));
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() throws IOException {
    Files.writeString(folder.resolve("train"), "a file");
    String message = userError(() -> files.write("train", 2, rollout(12)));
    assertTrue(
        message.startsWith("rollout_mock.dump_dir: " + file + " cannot be written ("), message);
  }
}
