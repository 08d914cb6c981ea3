package roll.image;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.image.ImageProcessor;
import roll.api.image.ImageProcessorLoader;
import roll.api.image.VisionTokens;
import roll.api.option.PlainFile;
import roll.api.option.UserException;
import roll.decoder.ConfigReader;
import roll.text.ModelFolderHint;

/** Loads image processors from {@code preprocessor_config.json}, as transformers does. */
@Component(name = "roll.image")
public final class FolderImageProcessors implements ImageProcessorLoader {
  private static final String PROCESSOR = "preprocessor_config.json";
  private static final int NONE = -1;
  private static final Set<String> QWEN =
      Set.of("Qwen2VLImageProcessor", "Qwen2VLImageProcessorFast", "Qwen2_5_VLImageProcessor");

  private final Gson gson =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  @Override
  public ImageProcessor load(Path folder) {
    Path file = folder.resolve(PROCESSOR);
    if (!Files.isDirectory(folder)) {
      throw new UserException(folder + ": no such model folder" + ModelFolderHint.of(folder));
    }
    if (!Files.isRegularFile(file)) {
      throw new UserException(
          folder
              + ": this model has no vision: it has no "
              + file.getFileName()
              + ModelFolderHint.of(folder));
    }
    Map<String, @Nullable Object> config = read(file);
    Object type = config.get("image_processor_type");
    if (!(type instanceof String name) || !QWEN.contains(name)) {
      throw new UserException(
          "%s: image_processor_type: '%s' is not supported (allowed: %s)"
              .formatted(file, type, String.join(", ", QWEN.stream().sorted().toList())));
    }
    return new QwenImageProcessor(ProcessorConfig.read(file.toString(), config));
  }

  @Override
  public Optional<VisionTokens> vision(Path folder) {
    Path file = folder.resolve("config.json");
    if (!Files.isRegularFile(file) || !Files.isRegularFile(folder.resolve(PROCESSOR))) {
      return Optional.empty();
    }
    ConfigReader config = new ConfigReader(file.toString(), read(file));
    if (!config.has("vision_config")) {
      return Optional.empty();
    }
    int image = config.count("image_token_id");
    int begin = config.count("vision_start_token_id", NONE);
    int end = config.count("vision_end_token_id", NONE);
    Set<Integer> reserved =
        Stream.of(image, begin, end, config.count("video_token_id", NONE))
            .filter(id -> id != NONE)
            .collect(Collectors.toSet());
    return Optional.of(new VisionTokens(image, begin, end, reserved, load(folder)));
  }

  private Map<String, @Nullable Object> read(Path file) {
    try {
      Map<String, @Nullable Object> config =
          gson.<Map<String, @Nullable Object>>fromJson(
              PlainFile.text(file), new TypeToken<Map<String, @Nullable Object>>() {});
      if (config == null) {
        throw new UserException(file + ": is empty");
      }
      return config;
    } catch (IOException | JsonParseException e) {
      throw new UserException(file + ": is not a JSON object", e);
    }
  }
}
