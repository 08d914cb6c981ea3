package roll.torch.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.image.ImageProcessor;
import roll.api.image.ImageProcessorLoader;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.model.VisionSpec;
import roll.api.model.family.ModelFamily;
import roll.api.option.UserException;
import roll.decoder.ModelFacts;
import roll.decoder.ModelInspector;
import roll.decoder.ModelSpecs;
import roll.huggingface.LoraTargets;
import roll.huggingface.ModelFolder;
import roll.huggingface.PeftFolder;
import roll.huggingface.Safetensors;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.vision.PicturePatches;

/**
 * Opens model folders: looks up the architecture among the registered families and reads the
 * weights.
 */
@Component(
    name = "roll.torch.models",
    service = {Models.class, ModelInspector.class, ModelSpecs.class})
public final class Models implements ModelInspector, ModelSpecs {
  private final Devices devices;
  private final TokenizerLoader tokenizers;
  private final Map<String, ModelFamily> families = new ConcurrentHashMap<>();
  private volatile @Nullable ImageProcessorLoader processors;

  /** Creates the service without architectures; {@link #add} and {@link #remove} register them. */
  @Activate
  public Models(@Reference Devices devices, @Reference TokenizerLoader tokenizers) {
    this.devices = devices;
    this.tokenizers = tokenizers;
  }

  /** Adds a model architecture; its property {@code roll.model} names it. */
  @Reference(
      name = "family",
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC)
  public void add(ModelFamily family, Map<String, Object> properties) {
    names(properties).forEach(name -> families.put(name, family));
  }

  /** Removes a model architecture. */
  public void remove(ModelFamily family, Map<String, Object> properties) {
    names(properties).forEach(name -> families.remove(name, family));
  }

  /** Sets the loader of image processors for models with vision. */
  @Reference(
      name = "processors",
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC)
  public void setImageProcessors(ImageProcessorLoader loader) {
    processors = loader;
  }

  /** Unsets the loader; Declarative Services calls this by its name. */
  public void unsetImageProcessors(ImageProcessorLoader last) {
    if (last.equals(processors)) {
      processors = null;
    }
  }

  /**
   * Returns the patches of pictures for the model of {@code folder}, or null if it has no vision.
   * The image processor is read with the first picture.
   */
  public @Nullable PicturePatches patches(ModelFolder folder) {
    return patches(folder.spec(), folder.path());
  }

  /**
   * Like {@link #patches(ModelFolder)}, for a model {@code spec} of whose folder only the image
   * processor is read.
   */
  public @Nullable PicturePatches patches(DecoderSpec spec, Path folder) {
    VisionSpec vision = spec.vision();
    return vision == null ? null : new PicturePatches(vision, () -> processor(folder));
  }

  private ImageProcessor processor(Path folder) {
    ImageProcessorLoader loader = processors;
    if (loader == null) {
      throw new UserException(
          folder + ": pictures need an image processor, but no bundle that reads one is installed");
    }
    return loader.load(folder);
  }

  private static List<String> names(Map<String, Object> properties) {
    return switch (properties.get("roll.model")) {
      case String name -> List.of(name);
      case String[] names -> List.of(names);
      case null, default -> List.of();
    };
  }

  /**
   * Inspects the folder of a language model without reading its weights.
   *
   * @throws UserException if it cannot be used, or holds a value model
   */
  public ModelFolder folder(Path path) {
    ModelFolder folder = open(path);
    if (folder.spec().has(Trait.VALUE_HEAD)) {
      throw new UserException(
          path.resolve("config.json")
              + ": architectures name a value model, but a language model (…ForCausalLM) is"
              + " needed; only a critic and a model of reward_models with model_args.model_type:"
              + " auto_sequence_classification have a value head");
    }
    return folder;
  }

  /**
   * Inspects the folder of a value model without reading its weights. The folder of a language
   * model is accepted too: a value head replaces its token head.
   *
   * @throws UserException if it cannot be used, or holds adapters
   */
  public ModelFolder valueFolder(Path path) {
    ModelFolder folder = open(path);
    if (folder.adapters() != null) {
      throw new UserException(
          path + ": holds adapters, but a value model has none; merge them into their model");
    }
    return folder.withValueHead();
  }

  private ModelFolder open(Path path) {
    ModelFolder folder = ModelFolder.open(path, families);
    try (Tokenizer tokenizer = tokenizers.load(path)) {
      folder.requireVocabulary(tokenizer.size());
    }
    return folder;
  }

  @Override
  public ModelFacts inspect(Path path) {
    ModelFolder folder = folder(path);
    SortedMap<String, Long> stored = new TreeMap<>();
    if (!folder.hasWeights()) {
      return new ModelFacts(folder.spec(), stored, 0);
    }
    try (Safetensors files = Safetensors.open(folder.path())) {
      WeightReader.find(folder.spec().with(null), files).stream()
          .flatMap(Optional::stream)
          .forEach(tensor -> stored.merge(tensor.format().name(), tensor.size(), Long::sum));
      long bytes =
          files.tensors().values().stream()
              .mapToLong(tensor -> tensor.size() * tensor.format().bytes())
              .sum();
      return new ModelFacts(folder.spec(), stored, bytes);
    }
  }

  @Override
  public DecoderSpec of(WorkerConfig worker, boolean values) {
    return values
        ? valueFolder(worker.model().folder()).spec()
        : described(worker.role(), worker.model()).spec();
  }

  @Override
  public DecoderSpec require(WorkerConfig worker, boolean values) {
    ModelConfig model = worker.model();
    return whole(values ? valueFolder(model) : folder(worker.role(), model));
  }

  @Override
  public DecoderSpec requireHead(WorkerConfig worker) {
    return whole(rewardFolder(worker));
  }

  private static DecoderSpec whole(ModelFolder folder) {
    if (folder.hasWeights()) {
      try (Safetensors files = Safetensors.open(folder.path())) {
        var unused = WeightReader.find(folder.spec().with(null), files);
      }
    }
    return folder.spec();
  }

  /**
   * Inspects the folder of a reward model, like {@link #valueFolder(ModelConfig)}; its weights, if
   * any, must hold the value head.
   *
   * @throws UserException if it cannot be used, has no weights and may not be random, or has no
   *     value head
   */
  public ModelFolder rewardFolder(WorkerConfig worker) {
    ModelFolder folder = valueFolder(worker.model());
    WeightReader.requireHead(worker.role(), folder);
    return folder;
  }

  /**
   * Inspects the model of a role: its folder, with the configured existing or new adapters.
   *
   * @throws UserException if it cannot be used, or has no weights and may not be random
   */
  public ModelFolder folder(String role, ModelConfig model) {
    return requireWeights(described(role, model), model);
  }

  /**
   * Inspects the folder of a role's value model, like {@link #valueFolder(Path)}.
   *
   * @throws UserException if it cannot be used, or has no weights and may not be random
   */
  public ModelFolder valueFolder(ModelConfig model) {
    return requireWeights(valueFolder(model.folder()), model);
  }

  /**
   * Like {@link #folder(String, ModelConfig)}, for a model to be trained.
   *
   * @throws UserException if the folder itself holds adapters
   */
  public ModelFolder trainedFolder(WorkerConfig worker) {
    ModelFolder folder = folder(worker.role(), worker.model());
    if (folder.adapters() != null && worker.model().adapter() == null) {
      throw new UserException(
          "%s.model_args: %s holds adapters; to train them on, give it as adapter_name_or_path and %s as model_name_or_path, or merge the two before"
              .formatted(worker.role(), worker.model().folder(), folder.path()));
    }
    return folder;
  }

  /** Like {@link #valueFolder(ModelConfig)}, for a model to be trained. */
  public ModelFolder trainedValueFolder(WorkerConfig worker) {
    if (worker.model().adapted()) {
      throw new UserException(
          worker.role() + ".model_args: a value model is trained whole, not by adapters");
    }
    return valueFolder(worker.model());
  }

  private static ModelFolder requireWeights(ModelFolder folder, ModelConfig model) {
    if (!folder.hasWeights() && !model.randomWeights()) {
      throw new UserException(
          "%s: holds no weights (neither %s nor %s); for a random model give random_weights=true, or --random-weights to chat, generate, logprobs or serve"
              .formatted(folder.path(), Safetensors.SINGLE, Safetensors.INDEX));
    }
    return folder;
  }

  private ModelFolder described(String role, ModelConfig model) {
    ModelFolder folder = folder(model.folder());
    LoraConfig lora = model.lora();
    if (lora != null) {
      String where = role + ".model_args.lora_target";
      return folder.with(LoraTargets.of(folder.spec(), where, lora));
    }
    Path adapters = model.adapter();
    return adapters == null ? folder : folder.with(PeftFolder.open(adapters));
  }

  /**
   * Returns the weights of {@code folder} like {@link Parameters#read}, random weights if it has
   * none, and its adapters. Only on the compute thread of {@code device}; the caller closes them.
   *
   * @param seed of random weights, a new value head, and new adapters
   * @throws UserException if the weights do not fit config.json
   */
  public Parameters read(Device device, ModelFolder folder, long seed) {
    return FolderWeights.load(
        device, folder, seed, (spec, files) -> Parameters.read(device, spec, files, seed));
  }

  /**
   * Like {@link #read}, but read-only: all in {@code dtype}, without a copy if the files have that
   * format.
   *
   * @param trained indices of the parameters that are trained regardless: adapters, or none
   */
  public Parameters map(
      Device device, ModelFolder folder, long seed, Dtype dtype, List<Integer> trained) {
    Parameters parameters =
        FolderWeights.load(
            device,
            folder,
            seed,
            (spec, files) -> Parameters.map(device, spec, files, seed, dtype));
    parameters.train(trained);
    if (dtype == Dtype.BF16) {
      parameters.narrow(device);
    }
    parameters.join();
    return parameters;
  }

  /** Returns the devices of this process. */
  public Devices devices() {
    return devices;
  }
}
