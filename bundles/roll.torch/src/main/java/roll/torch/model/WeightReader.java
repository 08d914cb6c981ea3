package roll.torch.model;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.DecoderSpec.Trait;
import roll.api.option.UserException;
import roll.decoder.DecoderParameters;
import roll.huggingface.ModelFolder;
import roll.huggingface.Safetensors;
import roll.huggingface.StackedExperts;
import roll.huggingface.StoredNames;
import roll.huggingface.StoredTensor;
import roll.huggingface.StoredTensor.Place;
import roll.huggingface.TensorFormat;
import roll.torch.Device;
import roll.torch.Kernels;

/**
 * Makes tensors of what safetensors files hold, by libtorch and with all threads of the device. A
 * mapped file is a tensor as it lies there; where another number format or memory of its own is
 * wanted, that tensor is copied from and let go. Used on the compute thread alone.
 */
public final class WeightReader implements AutoCloseable {
  private static final String HEAD = "lm_head.weight";

  private final Device device;
  private final Kernels kernels;

  WeightReader(Device device) {
    this.device = device;
    List<String> source = List.of(Kernels.source(WeightReader.class, "weights.py"));
    this.kernels = Kernels.compile(device, Map.of(), source);
  }

  /**
   * Where each parameter of {@code spec} is stored, in its order; nothing for a part of a value
   * head that is not there. A tied head may be stored as the embedding, as the head, or twice, as
   * transformers accepts it; what it does with two that differ depends on its version, so that is
   * refused. A value head may be named as TRL names it, and experts may be stored as {@link
   * StackedExperts} says.
   *
   * @throws UserException if a tensor is missing or has another shape or type, or is one of a model
   *     with other layers
   */
  public static List<Optional<StoredTensor>> find(DecoderSpec spec, Safetensors files) {
    StoredNames names = new StoredNames(spec, files.tensors().keySet());
    refuseOthers(spec, names, files);
    List<Optional<StoredTensor>> found = new ArrayList<>();
    List<Parameter> head = DecoderParameters.head(spec);
    for (Parameter parameter : DecoderParameters.of(spec)) {
      if (spec.has(Trait.VALUE_HEAD) && head.contains(parameter)) {
        found.add(value(parameter, files));
      } else if (found.isEmpty() && spec.has(Trait.TIED_HEAD)) {
        found.add(Optional.of(tied(names.of(parameter.name()), parameter, files)));
      } else {
        Optional<StoredTensor> stacked =
            files.tensors().containsKey(names.of(parameter.name()))
                ? Optional.empty()
                : StackedExperts.find(spec, parameter, files);
        found.add(
            stacked.or(
                () -> Optional.of(files.require(names.of(parameter.name()), parameter.shape()))));
      }
    }
    return found;
  }

  /**
   * Refuses weights of a reward model that hold no value head: a new one would say nothing.
   *
   * @param role whose model it is, for the message
   * @throws UserException if there are weights and no head, or one of another shape or type
   */
  static void requireHead(String role, ModelFolder folder) {
    if (!folder.hasWeights()) {
      return;
    }
    Parameter weight = DecoderParameters.head(folder.spec()).getFirst();
    try (Safetensors files = Safetensors.open(folder.path())) {
      if (value(weight, files).isEmpty()) {
        throw new UserException(
            "%s: %s holds no value head (%s) to score by; without model_args.model_type it is a model that writes"
                .formatted(role, folder.path(), weight.name()));
      }
    }
  }

  private static Optional<StoredTensor> value(Parameter parameter, Safetensors files) {
    return Stream.of(parameter.name(), parameter.name().replace("score.", "v_head.summary."))
        .filter(files.tensors()::containsKey)
        .map(name -> files.require(name, parameter.shape()))
        .findFirst();
  }

  /**
   * The weights in {@code files}, in memory of their own except for those in a format of {@code
   * inPlace}; a value head is f32 in any case. What {@link #find} lacks starts as the specification
   * says.
   *
   * @param seed of a new value head
   * @throws UserException if a tensor is missing or has another shape or type
   */
  static Parameters load(
      Device device, DecoderSpec spec, Safetensors files, long seed, Set<TensorFormat> inPlace) {
    List<Optional<StoredTensor>> found = find(spec, files);
    List<Parameter> all = DecoderParameters.of(spec);
    int head = spec.has(Trait.VALUE_HEAD) ? Head.parameters(spec).getFirst() : all.size();
    NDManager manager = device.newManager();
    NDList tensors = new NDList(found.size());
    Parameters parameters = Parameters.of(device, spec, manager, tensors, Dtype.FP32);
    parameters.train(TrainedParameters.standard(spec));
    try (WeightReader reader = new WeightReader(device)) {
      for (int i = 0; i < found.size(); i++) {
        StoredTensor stored = found.get(i).orElse(null);
        if (stored == null) {
          tensors.add(Parameters.zeros(manager, all.get(i)));
          parameters.start(i, seed);
        } else if (inPlace.contains(stored.format())
            && (i < head || stored.format() == TensorFormat.F32)) {
          tensors.add(reader.view(manager, stored));
        } else {
          tensors.add(reader.copy(manager, stored));
        }
      }
      return parameters;
    } catch (RuntimeException failure) {
      parameters.close();
      throw failure;
    }
  }

  /**
   * Refuses layers, biases and norms that the model does not have: config.json describes another
   * one. Heads are not looked at, which differ by use, nor the tables that old files hold.
   */
  private static void refuseOthers(DecoderSpec spec, StoredNames names, Safetensors files) {
    Set<String> known =
        DecoderParameters.of(spec).stream().map(Parameter::name).collect(Collectors.toSet());
    boolean sees = spec.vision() != null;
    names.all().entrySet().stream()
        .filter(name -> name.getKey().startsWith("model.") || (sees && ofTower(name.getKey())))
        .filter(name -> !name.getKey().endsWith(".inv_freq") && !known.contains(name.getKey()))
        .filter(name -> !StackedExperts.named(spec, name.getKey()))
        .map(Map.Entry::getValue)
        .min(Comparator.naturalOrder())
        .ifPresent(
            name -> {
              throw new UserException(
                  "%s: tensor '%s' is none of the model that config.json describes"
                      .formatted(files.source(), name));
            });
  }

  private static boolean ofTower(String name) {
    return name.startsWith("visual.");
  }

  /**
   * Refuses weights that are no numbers, or infinite ones: all that a model says then is neither.
   *
   * @throws UserException naming the first tensor with such a number
   */
  void requireFinite(Parameters parameters, Path folder) {
    try (NDManager small = parameters.device().newManager()) {
      NDList found = kernels.call(small, "not_finite", parameters.tensors());
      int index = (int) found.singletonOrThrow().toLongArray()[0];
      if (index >= 0) {
        throw new UserException(
            "%s: tensor '%s' has numbers that are not finite (NaN or infinity)"
                .formatted(folder, DecoderParameters.of(parameters.spec()).get(index).name()));
      }
    }
  }

  private static StoredTensor tied(String name, Parameter embedding, Safetensors files) {
    if (!files.tensors().containsKey(HEAD)) {
      return files.require(name, embedding.shape());
    }
    StoredTensor head = files.require(HEAD, embedding.shape());
    if (files.tensors().containsKey(name)) {
      requireSame(files.require(name, embedding.shape()), head);
    }
    return head;
  }

  private static void requireSame(StoredTensor embedding, StoredTensor head) {
    try (Arena arena = Arena.ofConfined()) {
      if (embedding.format() != head.format()
          || embedding.map(arena).mismatch(head.map(arena)) >= 0) {
        throw new UserException(
            "%s is not %s, although config.json says tie_word_embeddings: true"
                .formatted(head.name(), embedding.name()));
      }
    }
  }

  /** The numbers of {@code stored} as f32, in new memory that {@code owner} owns. */
  NDArray copy(NDManager owner, StoredTensor stored) {
    NDArray target = owner.create(shape(stored), DataType.FLOAT32);
    Place place = stored.place();
    if (place != null) {
      try (NDManager small = owner.newSubManager()) {
        Object[] from = {target, place.file(), dtype(stored), place.first()};
        reading(stored, () -> kernels.call(small, "read", from));
      }
    } else {
      device.transfer().fill(target, (first, part) -> stored.readFloats(first / Float.BYTES, part));
    }
    return target;
  }

  /**
   * The numbers of {@code stored} where they lie, if they can be read there: nothing is copied but
   * what is written to. {@code owner} owns the mapping, which may enter recorded calls.
   */
  NDArray view(NDManager owner, StoredTensor stored) {
    Place place = stored.place();
    if (place == null) {
      return copy(owner, stored);
    }
    try (NDManager small = owner.newSubManager()) {
      NDManager host = Device.host(small);
      byte[] file = place.file().getBytes(StandardCharsets.UTF_8);
      NDArray name =
          host.create(IntStream.range(0, file.length).mapToLong(i -> file[i] & 0xFF).toArray());
      NDArray from = host.create(new long[] {dtype(stored), place.first()});
      NDArray shape = host.create(shape(stored).getShape());
      return reading(stored, () -> kernels.record(owner, "view", name, from, shape));
    }
  }

  private static NDArray reading(StoredTensor stored, Supplier<NDList> call) {
    try {
      return call.get().singletonOrThrow();
    } catch (EngineException failure) {
      throw new UserException("tensor '" + stored.name() + "' cannot be read any more", failure);
    }
  }

  private static int dtype(StoredTensor stored) {
    return switch (stored.format()) {
      case F16 -> 5;
      case F32 -> 6;
      case BF16 -> 15;
      default -> throw new IllegalArgumentException(stored.name() + " is " + stored.format());
    };
  }

  private static Shape shape(StoredTensor stored) {
    return new Shape(stored.shape().stream().mapToLong(Long::longValue).toArray());
  }

  @Override
  public void close() {
    kernels.close();
  }
}
