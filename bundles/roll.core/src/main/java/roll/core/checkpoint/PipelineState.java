package roll.core.checkpoint;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.option.PlainFile;
import roll.api.option.UserException;
import roll.core.curriculum.CurriculumState;

/**
 * State of the pipeline in a checkpoint.
 *
 * @param step number of complete steps
 * @param klCoefficient β of the KL controller
 * @param seed of the run
 * @param skipped number of consecutive skipped steps
 * @param curriculum state of the curriculum; null in checkpoints of older versions
 * @param shared last versions of the weights that the sampling policy got; null in synchronous
 *     training
 */
public record PipelineState(
    int step,
    double klCoefficient,
    long seed,
    int skipped,
    @Nullable CurriculumState curriculum,
    @Nullable List<Long> shared) {
  /** Name of the file in a checkpoint. */
  static final String FILE = "trainer/pipeline.json";

  /** The state of a run without a curriculum. */
  public PipelineState(int step, double klCoefficient, long seed, int skipped) {
    this(step, klCoefficient, seed, skipped, null, null);
  }

  /** Writes the state into {@code checkpoint}. */
  void write(Path checkpoint) throws IOException {
    Files.writeString(checkpoint.resolve(FILE), new Gson().toJson(this));
  }

  /**
   * Reads the pipeline's state in {@code checkpoint}.
   *
   * @throws UserException if the folder is not a checkpoint
   */
  static PipelineState read(Path checkpoint) {
    Path file = checkpoint.resolve(FILE);
    try {
      JsonObject json = new Gson().fromJson(PlainFile.text(file), JsonObject.class);
      if (json == null) {
        throw new UserException("checkpoint " + checkpoint + ": " + FILE + " is empty");
      }
      PipelineState state = new Gson().fromJson(json, PipelineState.class);
      if (!json.has("step")
          || state.step() < 0
          || state.skipped() < 0
          || !Double.isFinite(state.klCoefficient())) {
        throw new JsonParseException("numbers that no run has");
      }
      return state;
    } catch (IOException e) {
      throw new UserException(
          "resume_from_checkpoint: " + checkpoint + " is no checkpoint (" + FILE + " missing)", e);
    } catch (JsonParseException e) {
      throw new UserException("checkpoint " + checkpoint + ": " + FILE + " is damaged", e);
    }
  }
}
