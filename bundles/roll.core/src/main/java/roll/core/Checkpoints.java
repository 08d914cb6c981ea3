package roll.core;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;

/**
 * Checkpoints of a run: {@code checkpoint-N} is the state after N steps. Each is written beside its
 * place and renamed into it, so that a half-written one is never seen.
 */
final class Checkpoints {
  private static final Pattern NAME = Pattern.compile("checkpoint-(\\d{1,9})");
  private static final String STATE = "trainer/pipeline.json";

  private final Path folder;
  private final int keep;

  /** Checkpoints in {@code folder}, of which the newest {@code keep} are kept (0: all). */
  Checkpoints(Path folder, int keep) {
    this.folder = folder;
    this.keep = keep;
  }

  /**
   * What the pipeline itself must remember.
   *
   * @param step complete steps
   * @param klCoefficient β of the KL controller
   * @param seed of the run
   */
  record State(int step, double klCoefficient, long seed) {}

  /** Writes the content of a checkpoint into a folder. */
  interface Content {
    void write(Path folder) throws IOException, InterruptedException;
  }

  /** Saves {@code content} and {@code state} as one checkpoint and removes those too many. */
  Path save(State state, Content content) throws IOException, InterruptedException {
    Path place = of(state.step());
    Path beside = folder.resolve(".checkpoint-" + state.step() + ".tmp");
    Folders.delete(beside);
    Files.createDirectories(beside.resolve("trainer"));
    content.write(beside);
    Files.writeString(beside.resolve(STATE), new Gson().toJson(state));
    Folders.delete(place);
    Files.move(beside, place, StandardCopyOption.ATOMIC_MOVE);
    List<Path> all = list();
    for (int i = 0; keep > 0 && i < all.size() - keep; i++) {
      Folders.delete(all.get(i));
    }
    return place;
  }

  /** Where the checkpoint of {@code step} complete steps is, or would be. */
  Path of(int step) {
    return folder.resolve("checkpoint-" + step);
  }

  /** The newest checkpoint, or null. */
  @Nullable Path newest() throws IOException {
    List<Path> all = list();
    return all.isEmpty() ? null : all.getLast();
  }

  /**
   * The pipeline's state in {@code checkpoint}.
   *
   * @throws UserException if the folder is no checkpoint
   */
  static State read(Path checkpoint) {
    Path file = checkpoint.resolve(STATE);
    try {
      State state = new Gson().fromJson(Files.readString(file), State.class);
      if (state == null) {
        throw new UserException("checkpoint " + checkpoint + ": " + STATE + " is empty");
      }
      return state;
    } catch (IOException e) {
      throw new UserException(
          "resume_from_checkpoint: " + checkpoint + " is no checkpoint (" + STATE + " missing)", e);
    } catch (JsonParseException e) {
      throw new UserException("checkpoint " + checkpoint + ": " + STATE + " is damaged", e);
    }
  }

  /** All checkpoints, oldest first. */
  private List<Path> list() throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(p -> NAME.matcher(String.valueOf(p.getFileName())).matches())
          .sorted(Comparator.comparingInt(Checkpoints::number))
          .toList();
    }
  }

  private static int number(Path checkpoint) {
    return Integer.parseInt(
        String.valueOf(checkpoint.getFileName()).substring("checkpoint-".length()));
  }
}
