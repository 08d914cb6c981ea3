package roll.torch.model;

import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import roll.api.model.DecoderSpec.Trait;
import roll.huggingface.ModelFolder;
import roll.huggingface.PeftFolder;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StackedExperts;
import roll.huggingface.StoredNames;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.huggingface.ValueConfig;

/** Writes model folders in the layout of Hugging Face. */
public final class ModelWriter {
  private static final Gson GSON =
      new GsonBuilder()
          .setFormattingStyle(FormattingStyle.PRETTY)
          .disableHtmlEscaping()
          .serializeNulls()
          .create();

  /** Files of a model folder that are copied along with the weights. */
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
          "chat_template.json",
          "preprocessor_config.json",
          "video_preprocessor_config.json",
          "processor_config.json");

  /** The sub-folder of an adapter folder with the base model, if no other folder has it. */
  public static final String BASE = "base";

  private ModelWriter() {}

  /**
   * Writes a whole model, without its adapters.
   *
   * <pre>
   *   config.json         the source's, every field kept; torch_dtype is the format of the weights,
   *                       architectures and labels describe a value model with one label
   *   model.safetensors   or shards with an index
   *   tokenizer.json …    the source's, unchanged, and the code files they refer to
   * </pre>
   *
   * @param source folder from which the model was read
   * @param weights all weights of the model
   * @param format F32, F16 or BF16
   */
  public static void model(
      Path folder, ModelFolder source, List<StoredTensor> weights, TensorFormat format)
      throws IOException {
    Files.createDirectories(folder);
    List<StoredTensor> named =
        StackedExperts.written(source.spec(), weights).stream()
            .map(weight -> weight.named(StoredNames.published(source.spec(), weight.name())))
            .toList();
    SafetensorsWriter.writeModel(folder, named, format, SafetensorsWriter.SHARD_BYTES);
    String type =
        switch (format) {
          case BF16 -> "bfloat16";
          case F16 -> "float16";
          default -> "float32";
        };
    Files.writeString(folder.resolve("config.json"), config(source, type));
    companions(folder, source);
  }

  /** Writes a whole model whose weights are on one device into a folder. */
  public static void model(
      Path folder, ModelFolder source, Parameters parameters, TensorFormat format)
      throws IOException {
    model(folder, source, parameters.stored(), format);
  }

  /**
   * Writes the adapters alone, as PEFT does, and the tokenizer. Their config names the folder of
   * the base model; a randomly initialized base model, which no folder holds, is written into a
   * sub-folder.
   *
   * @param source folder from which the model was read
   * @param weights all weights of the model except the adapters
   * @param format number format of the weights, if they are written
   * @param adapters the adapters
   */
  public static void adapters(
      Path folder,
      ModelFolder source,
      List<StoredTensor> weights,
      TensorFormat format,
      List<StoredTensor> adapters)
      throws IOException {
    String base = BASE;
    if (source.hasWeights()) {
      base = source.path().toAbsolutePath().normalize().toString();
    } else {
      model(folder.resolve(BASE), source, weights, format);
    }
    PeftFolder.write(folder, source.spec(), adapters, base);
    companions(folder, source);
  }

  private static void companions(Path folder, ModelFolder source) throws IOException {
    for (String companion : COMPANIONS) {
      Path file = source.path().resolve(companion);
      if (Files.exists(file)) {
        Files.copy(file, folder.resolve(companion), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    // code named by auto_map, for libraries that run it; this one never does
    try (DirectoryStream<Path> code = Files.newDirectoryStream(source.path(), "*.py")) {
      for (Path file : code) {
        Path name = Objects.requireNonNull(file.getFileName());
        Files.copy(file, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /**
   * Returns the source's config.json with the format of the weights, and a value head's class and
   * label; numbers are copied literally.
   */
  private static String config(ModelFolder source, String type) throws IOException {
    String text = Files.readString(source.path().resolve("config.json"));
    JsonObject config = GSON.fromJson(text, JsonObject.class);
    config.addProperty(config.has("dtype") ? "dtype" : "torch_dtype", type);
    if (source.spec().has(Trait.VALUE_HEAD)) {
      ValueConfig.describe(config, source.spec().modelType());
    }
    return GSON.toJson(config) + "\n";
  }
}
