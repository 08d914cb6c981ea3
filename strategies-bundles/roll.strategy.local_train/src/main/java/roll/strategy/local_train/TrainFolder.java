package roll.strategy.local_train;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec.Trait;
import roll.torch.AdamW;
import roll.torch.ModelFolder;
import roll.torch.ModelWriter;
import roll.torch.Models;
import roll.torch.Parameters;
import roll.torch.PeftFolder;
import roll.torch.Safetensors;
import roll.torch.SafetensorsWriter;
import roll.torch.StoredTensor;
import roll.torch.TensorFormat;

/**
 * What a session writes and reads back: a Hugging Face folder, or where adapters are trained one of
 * PEFT's, and in its sub-folder {@code trainer} what only training needs.
 *
 * <pre>
 *   model or adapters, tokenizer  as {@link ModelWriter} writes them, a model in the session's dtype
 *   trainer/moments.safetensors   f32 moments "first.NAME" and "second.NAME" of what is trained
 *   trainer/master.safetensors    f32 weights of what is trained, where model.safetensors is rounded
 *   trainer/state.json            {"steps": optimizer steps}
 * </pre>
 *
 * Used on the compute thread alone.
 */
final class TrainFolder {
  private static final Gson GSON = new Gson();

  private static final String MASTER = "master.safetensors";

  private final Models models;
  private final ModelFolder source;
  private final Dtype dtype;
  private final Parameters parameters;
  private final AdamW optimizer;

  TrainFolder(
      Models models, ModelFolder source, Dtype dtype, Parameters parameters, AdamW optimizer) {
    this.models = models;
    this.source = source;
    this.dtype = dtype;
    this.parameters = parameters;
    this.optimizer = optimizer;
  }

  /** Writes the folder; state.json comes last, so that one without it is not whole. */
  void save(Path folder) throws IOException {
    Path trainer = Files.createDirectories(folder.resolve("trainer"));
    List<String> trained = parameters.trained().names();
    boolean rounded = dtype == Dtype.BF16;
    if (adapted()) {
      ModelWriter.adapters(folder, source, parameters);
    } else {
      ModelWriter.model(folder, source, parameters, rounded ? TensorFormat.BF16 : TensorFormat.F32);
    }
    if (rounded && !adapted()) {
      List<StoredTensor> masters = stored("", trained, parameters.trained().masters());
      SafetensorsWriter.write(trainer.resolve(MASTER), masters, TensorFormat.F32);
    }
    List<StoredTensor> moments =
        new ArrayList<>(stored("first.", trained, optimizer.firstMoments()));
    moments.addAll(stored("second.", trained, optimizer.secondMoments()));
    SafetensorsWriter.write(trainer.resolve("moments.safetensors"), moments, TensorFormat.F32);
    JsonObject state = new JsonObject();
    state.addProperty("steps", optimizer.steps());
    Files.writeString(trainer.resolve("state.json"), GSON.toJson(state) + "\n");
  }

  private boolean adapted() {
    return parameters.spec().adapter() != null;
  }

  /**
   * Takes over what {@link #save} wrote of what is trained; what is frozen is as it was read.
   *
   * @throws UserException if the folder is of another model or not whole; nothing is changed then
   */
  void restore(Path folder) {
    Path trainer = folder.resolve("trainer");
    long steps = steps(trainer.resolve("state.json"));
    List<Runnable> copies = new ArrayList<>();
    try (Safetensors weights = weights(folder);
        Safetensors moments = Safetensors.open(trainer.resolve("moments.safetensors"))) {
      List<String> trained = parameters.trained().names();
      if (weights == null) {
        PeftFolder adapters = adapters(folder);
        copies.add(() -> adapters.read(parameters));
      } else {
        copies.addAll(copies(weights, "", trained, parameters.trained().masters()));
      }
      copies.addAll(copies(moments, "first.", trained, optimizer.firstMoments()));
      copies.addAll(copies(moments, "second.", trained, optimizer.secondMoments()));
      copies.forEach(Runnable::run);
    }
    optimizer.resume(steps);
    parameters.version(steps);
  }

  /** The files of the weights that are trained, or null where those are adapters. */
  private @Nullable Safetensors weights(Path folder) {
    if (adapted()) {
      return null;
    }
    boolean value = source.spec().has(Trait.VALUE_HEAD);
    ModelFolder saved = value ? models.valueFolder(folder) : models.folder(folder);
    if (!saved.spec().equals(source.spec())) {
      throw new UserException(
          folder + ": config.json describes another model than that of " + source.path());
    }
    Path master = folder.resolve("trainer").resolve(MASTER);
    return Safetensors.open(Files.exists(master) ? master : folder);
  }

  /** The saved adapters, if they are those that are trained. */
  private PeftFolder adapters(Path folder) {
    PeftFolder saved = PeftFolder.open(folder);
    if (source.hasWeights()) {
      saved.requireBase(source.path());
    }
    if (!saved.adapter(source.spec().with(null)).equals(source.spec().adapter())) {
      throw new UserException(
          folder + ": holds adapters of another rank, scale, dropout or target than are trained");
    }
    return saved;
  }

  /** What fills {@code tensors} from {@code files}, after all of them were found to fit. */
  private static List<Runnable> copies(
      Safetensors files, String prefix, List<String> names, NDList tensors) {
    List<Runnable> copies = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      MemorySegment memory = memory(tensors.get(i));
      List<Integer> shape = shape(tensors.get(i)).stream().map(Math::toIntExact).toList();
      StoredTensor stored = files.require(prefix + names.get(i), shape);
      copies.add(() -> stored.readFloats(0, memory));
    }
    return copies;
  }

  private static long steps(Path file) {
    if (!Files.exists(file)) {
      throw new UserException(file + ": missing, so this is no checkpoint of local_train");
    }
    try {
      @Nullable JsonObject state = GSON.fromJson(Files.readString(file), JsonObject.class);
      if (state != null
          && state.get("steps") instanceof JsonPrimitive steps
          && steps.isNumber()
          && steps.getAsLong() >= 0) {
        return steps.getAsLong();
      }
      throw new UserException(file + ": steps: expected a whole number of at least 0");
    } catch (IOException | JsonParseException | NumberFormatException e) {
      throw new UserException(file + ": is not the state of a checkpoint", e);
    }
  }

  private static List<StoredTensor> stored(String prefix, List<String> names, NDList tensors) {
    List<StoredTensor> stored = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      NDArray tensor = tensors.get(i);
      stored.add(
          new StoredTensor(prefix + names.get(i), TensorFormat.F32, shape(tensor), memory(tensor)));
    }
    return stored;
  }

  private static List<Long> shape(NDArray tensor) {
    return LongStream.of(tensor.getShape().getShape()).boxed().toList();
  }

  private static MemorySegment memory(NDArray tensor) {
    return MemorySegment.ofBuffer(tensor.toByteBuffer(true));
  }
}
