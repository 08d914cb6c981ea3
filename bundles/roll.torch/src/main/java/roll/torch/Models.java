package roll.torch;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import roll.api.model.DecoderSpec;
import roll.api.model.ModelFamily;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;

/** Opens model folders: finds the architecture among the registered ones and reads the weights. */
@Component(name = "roll.torch.models", service = Models.class)
public final class Models {
  private final Devices devices;
  private final TokenizerLoader tokenizers;
  private final Map<String, ModelFamily> families = new ConcurrentHashMap<>();

  /** No architecture yet; they come and go by {@link #add} and {@link #remove}. */
  @Activate
  public Models(@Reference Devices devices, @Reference TokenizerLoader tokenizers) {
    this.devices = devices;
    this.tokenizers = tokenizers;
  }

  /** Adds an architecture; its property {@code roll.model} names it. */
  @Reference(
      name = "family",
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC)
  public void add(ModelFamily family, Map<String, Object> properties) {
    names(properties).forEach(name -> families.put(name, family));
  }

  /** Removes an architecture. */
  public void remove(ModelFamily family, Map<String, Object> properties) {
    names(properties).forEach(name -> families.remove(name, family));
  }

  private static List<String> names(Map<String, Object> properties) {
    return switch (properties.get("roll.model")) {
      case String name -> List.of(name);
      case String[] names -> List.of(names);
      case null, default -> List.of();
    };
  }

  /**
   * Looks at a model folder without reading its weights.
   *
   * @throws roll.api.config.UserException if it cannot be used
   */
  public ModelFolder folder(Path path) {
    ModelFolder folder = ModelFolder.open(path, families);
    try (Tokenizer tokenizer = tokenizers.load(path)) {
      folder.requireVocabulary(tokenizer.size());
    }
    return folder;
  }

  /**
   * The weights of {@code folder}, or random ones if it has none. Only on the compute thread of
   * {@code device}; the caller closes them.
   *
   * @param seed of random weights
   * @throws roll.api.config.UserException if the weights do not fit config.json
   */
  public Parameters read(Device device, ModelFolder folder, long seed) {
    DecoderSpec spec = folder.spec();
    if (!folder.hasWeights()) {
      return Parameters.random(device, spec, seed);
    }
    try (Safetensors files = Safetensors.open(folder.path())) {
      return Parameters.read(device, spec, files);
    }
  }

  /** The devices of this process. */
  public Devices devices() {
    return devices;
  }
}
