package roll.strategy.local_train;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec.Trait;
import roll.torch.AdamW;
import roll.torch.ModelFolder;
import roll.torch.Models;
import roll.torch.Parameters;
import roll.torch.Safetensors;
import roll.torch.SafetensorsWriter;
import roll.torch.StoredTensor;
import roll.torch.TensorFormat;

/**
 * What a session writes and reads back: a Hugging Face folder, and in its sub-folder {@code
 * trainer} what only training needs.
 *
 * <pre>
 *   config.json            the source's, every field kept; torch_dtype says what the weights are,
 *                          architectures and labels that a value model has one label
 *   model.safetensors      weights in the session's dtype
 *   tokenizer.json …       the source's, byte for byte
 *   trainer/moments.safetensors   f32 moments "first.NAME" and "second.NAME" of what is trained
 *   trainer/master.safetensors    f32 weights of what is trained, where model.safetensors is rounded
 *   trainer/state.json            {"steps": optimizer steps}
 * </pre>
 *
 * Used on the compute thread alone.
 */
final class TrainFolder {
  private static final Gson GSON =
      new GsonBuilder()
          .setFormattingStyle(FormattingStyle.PRETTY)
          .disableHtmlEscaping()
          .serializeNulls()
          .create();

  /** Files of a model folder that go with the weights. */
  private static final List<String> COMPANIONS =
      List.of(
          "generation_config.json",
          "tokenizer.json",
          "tokenizer_config.json",
          "tokenizer.model",
          "special_tokens_map.json",
          "added_tokens.json",
          "vocab.json",
          "vocab.txt",
          "merges.txt",
          "chat_template.jinja",
          "chat_template.json");

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
    SafetensorsWriter.writeModel(
        folder,
        IntStream.range(0, source.spec().parameters().size()).mapToObj(parameters::stored).toList(),
        rounded ? TensorFormat.BF16 : TensorFormat.F32,
        SafetensorsWriter.SHARD_BYTES);
    if (rounded) {
      List<StoredTensor> masters = stored("", trained, parameters.trained().masters());
      SafetensorsWriter.write(trainer.resolve("master.safetensors"), masters, TensorFormat.F32);
    }
    List<StoredTensor> moments =
        new ArrayList<>(stored("first.", trained, optimizer.firstMoments()));
    moments.addAll(stored("second.", trained, optimizer.secondMoments()));
    SafetensorsWriter.write(trainer.resolve("moments.safetensors"), moments, TensorFormat.F32);
    Files.writeString(folder.resolve("config.json"), config(rounded ? "bfloat16" : "float32"));
    for (String companion : COMPANIONS) {
      Path file = source.path().resolve(companion);
      if (Files.exists(file)) {
        Files.copy(file, folder.resolve(companion), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    JsonObject state = new JsonObject();
    state.addProperty("steps", optimizer.steps());
    Files.writeString(trainer.resolve("state.json"), GSON.toJson(state) + "\n");
  }

  /**
   * Takes over what {@link #save} wrote of what is trained; what is frozen is as it was read.
   *
   * @throws UserException if the folder is of another model or not whole; nothing is changed then
   */
  void restore(Path folder) {
    Path trainer = folder.resolve("trainer");
    long steps = steps(trainer.resolve("state.json"));
    boolean value = source.spec().has(Trait.VALUE_HEAD);
    ModelFolder saved = value ? models.valueFolder(folder) : models.folder(folder);
    if (!saved.spec().equals(source.spec())) {
      throw new UserException(
          folder + ": config.json describes another model than that of " + source.path());
    }
    Path master = trainer.resolve("master.safetensors");
    try (Safetensors weights = Safetensors.open(Files.exists(master) ? master : folder);
        Safetensors moments = Safetensors.open(trainer.resolve("moments.safetensors"))) {
      List<String> trained = parameters.trained().names();
      NDList masters = parameters.trained().masters();
      List<Runnable> copies = new ArrayList<>(copies(weights, "", trained, masters));
      copies.addAll(copies(moments, "first.", trained, optimizer.firstMoments()));
      copies.addAll(copies(moments, "second.", trained, optimizer.secondMoments()));
      copies.forEach(Runnable::run);
    }
    optimizer.resume(steps);
    parameters.version(steps);
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

  /**
   * The source's config.json with the type of the weights, and of the head where that is a value
   * head; numbers stay as they were written.
   */
  private String config(String type) throws IOException {
    String text = Files.readString(source.path().resolve("config.json"));
    JsonObject config = GSON.fromJson(text, JsonObject.class);
    config.addProperty(config.has("dtype") ? "dtype" : "torch_dtype", type);
    if (source.spec().has(Trait.VALUE_HEAD)) {
      ValueConfig.describe(config, source.spec().modelType());
    }
    return GSON.toJson(config) + "\n";
  }
}
