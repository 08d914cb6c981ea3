package roll.core.trajectory;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.core.output.IoReason;
import roll.runtime.config.RolloutMockConfig;
import roll.runtime.config.RolloutMockConfig.Mode;
import roll.runtime.config.RunConfig;
import roll.runtime.config.ScheduleConfig;
import roll.runtime.pipeline.RolloutResult;

/**
 * Rollouts as files, {@code <dump_dir>/<purpose>/step_000000.jsonl} by step: the first line says
 * what the rollout belongs to and has its metrics, each further line is a trajectory, whose
 * pictures lie beside. Read again they are the same bit for bit; drawn episodes, faults and times
 * are not kept.
 */
public final class RolloutFiles {
  private static final String KEY = "rollout_mock.dump_dir: ";
  private static final String TIMES = "time/";

  private final RunConfig run;
  private final Path folder;
  private final Tokenizer tokenizer;

  /**
   * Creates the rollout files of {@code run} in {@code folder}, with the tokens of {@code
   * tokenizer}.
   */
  public RolloutFiles(RunConfig run, Path folder, Tokenizer tokenizer) {
    this.run = run;
    this.folder = folder;
    this.tokenizer = tokenizer;
  }

  /**
   * Sees that {@code run} can write its rollouts where there are none, or finds those that it will
   * ask for; where it resumes, it may replace them and needs only some of them. Gives a line that
   * says what is done.
   *
   * @throws UserException naming the file that should not be there, or that should
   */
  public static String check(RunConfig run, RolloutMockConfig mock) {
    boolean dump = mock.mode() == Mode.DUMP;
    ScheduleConfig schedule = run.schedule();
    int evalSteps = schedule.validation().evalSteps();
    for (int step = 0; step <= schedule.maxSteps() && !schedule.checkpoints().resume(); step++) {
      boolean last = step == schedule.maxSteps();
      boolean validated = evalSteps > 0 && (last || step % evalSteps == 0);
      for (String purpose : List.of("train", "val")) {
        boolean needed = purpose.equals("train") ? !last : validated;
        Path file = file(mock.folder(), purpose, step);
        if (dump && Files.exists(file)) {
          throw new UserException(
              KEY + file + " is there already: name another folder, or delete what this one holds");
        }
        if (!dump && needed && !Files.exists(file)) {
          throw missing(file);
        }
      }
    }
    return dump
        ? "rollout_mock: rollouts are written into " + mock.folder()
        : "rollout_mock: rollouts are read from " + mock.folder() + ", no environment is played";
  }

  private static UserException missing(Path file) {
    Path beside = file.resolveSibling("");
    long there = 0;
    try (Stream<Path> files = Files.list(beside)) {
      there = files.filter(f -> f.toString().endsWith(".jsonl")).count();
    } catch (IOException e) {
      // then there are none
    }
    return new UserException(
        KEY
            + "no file "
            + file
            + " ("
            + beside.getFileName()
            + " holds "
            + there
            + " rollouts): dump with the max_steps and eval_steps of this run, or lower them");
  }

  private static Path file(Path folder, String purpose, int step) {
    return folder.resolve(purpose).resolve("step_%06d.jsonl".formatted(step));
  }

  /** The identity of a rollout; a file is read only for a rollout with the same one. */
  private Map<String, Object> header(String purpose, int step) {
    boolean val = purpose.equals("val");
    int size =
        purpose.equals("greedy")
            ? 1
            : (val ? run.rollout().valEnvs() : run.rollout().trainEnvs()).groupSize();
    int trained = run.schedule().rolloutBatchSize();
    int trajectories =
        switch (purpose) {
          case "val" -> run.schedule().validation().batchSize();
          case "greedy" -> trained / run.rollout().trainEnvs().groupSize();
          default -> trained;
        };
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("rollout", purpose);
    header.put("step", step);
    header.put("seed", run.seed());
    header.put("group_size", size);
    header.put(val ? "val_batch_size" : "rollout_batch_size", trajectories);
    header.put("vocabulary", tokenizer.size());
    return header;
  }

  /**
   * Writes the episodes of a rollout to a file, first under a temporary name.
   *
   * @throws UserException if that is not possible
   */
  public void write(String purpose, int step, RolloutResult rollout) {
    Path file = file(folder, purpose, step);
    Path beside = file.resolveSibling("." + file.getFileName() + ".tmp");
    Map<String, Object> header = header(purpose, step);
    Map<String, Double> metrics = new LinkedHashMap<>(rollout.metrics());
    metrics.keySet().removeIf(name -> name.startsWith(TIMES));
    header.put("metrics", metrics);
    TokenTexts texts = new TokenTexts(tokenizer);
    try {
      Files.createDirectories(file.resolveSibling(""));
      PictureFiles pictures = new PictureFiles(file.resolveSibling(""));
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(beside))) {
        line(out, TrajectoryJson.GSON.toJson(header));
        for (Trajectory trajectory : rollout.trajectories()) {
          pictures.write(trajectory);
          line(out, TrajectoryJson.write(trajectory, texts));
        }
      }
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UserException(KEY + file + " cannot be written (" + IoReason.of(e) + ")", e);
    }
  }

  private static void line(OutputStream out, String line) throws IOException {
    out.write(line.getBytes(StandardCharsets.UTF_8));
    out.write('\n');
  }

  /**
   * Reads the episodes of a rollout from a file.
   *
   * @throws UserException naming file and line of what is missing, wrong or another run's
   */
  public RolloutResult read(String purpose, int step) {
    Path file = file(folder, purpose, step);
    if (!Files.exists(file)) {
      throw missing(file);
    }
    Map<String, Object> header = header(purpose, step);
    Map<String, Double> metrics = Map.of();
    List<Trajectory> trajectories = new ArrayList<>();
    PictureFiles pictures = new PictureFiles(file.resolveSibling(""));
    int number = 0;
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        JsonObject object = object(line);
        if (number == 1) {
          same(header, object);
          metrics = TrajectoryJson.numbers(object, "metrics");
        } else {
          trajectories.add(fitting(TrajectoryJson.read(object, pictures)));
        }
      }
      wholeGroups(header, trajectories);
    } catch (IOException e) {
      throw new UserException(KEY + file + " cannot be read (" + IoReason.of(e) + ")", e);
    } catch (JsonParseException e) {
      throw new UserException(KEY + file + ":" + number + ": " + e.getMessage(), e);
    }
    return new RolloutResult(List.copyOf(trajectories), metrics, Map.of(), List.of(), Set.of());
  }

  private static JsonObject object(String line) throws IOException {
    JsonReader reader = new JsonReader(new StringReader(line));
    reader.setStrictness(Strictness.STRICT);
    try {
      @Nullable JsonElement element = TrajectoryJson.GSON.fromJson(reader, JsonElement.class);
      var unused = reader.peek(); // complains of what follows
      if (element != null && element.isJsonObject()) {
        return element.getAsJsonObject();
      }
    } catch (JsonParseException | IOException e) {
      throw new JsonParseException("the line is broken, or no JSON object", e);
    }
    throw new JsonParseException("expected a JSON object");
  }

  private static void same(Map<String, Object> header, JsonObject found) {
    for (var entry : header.entrySet()) {
      String key = entry.getKey();
      String dumped = TrajectoryJson.part(found, key, JsonElement.class).getAsString();
      String ours = String.valueOf(entry.getValue());
      if (!dumped.equals(ours)) {
        throw new JsonParseException(
            "the rollout was dumped with %s %s, this run has %s".formatted(key, dumped, ours));
      }
    }
  }

  private Trajectory fitting(Trajectory trajectory) {
    for (Sequence sequence : trajectory.sequences()) {
      if (sequence.tokens().length > run.sequenceLength()) {
        throw new JsonParseException(
            "a sequence of %d tokens, and sequence_length is %d"
                .formatted(sequence.tokens().length, run.sequenceLength()));
      }
    }
    return trajectory;
  }

  private static void wholeGroups(Map<String, Object> header, List<Trajectory> trajectories) {
    Object wanted = header.getOrDefault("val_batch_size", header.get("rollout_batch_size"));
    if (!Integer.valueOf(trajectories.size()).equals(wanted)) {
      throw new JsonParseException(
          "the file ends after %d trajectories, expected %s"
              .formatted(trajectories.size(), wanted));
    }
  }
}
