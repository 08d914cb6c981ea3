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
 * Reads safetensors files into tensors, by libtorch and with all threads of the device. A mapped
 * file is used as a tensor in place; for another number format, or memory of its own, it is copied
 * and unmapped. Used only on the compute thread.
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
   * Returns the stored tensor of each parameter of {@code spec}, in its order; empty for a missing
   * part of a value head. A tied head may be stored as the embedding, as the head, or twice, as in
   * transformers; two different tensors are refused, since their meaning depends on the version of
   * transformers. A value head may have TRL's name, and experts may be stacked ({@link
   * StackedExperts}).
   *
   * @throws UserException if a tensor is missing, has another shape or type, or belongs to a model
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
   * Refuses weights of a reward model without value head, as a new one would be meaningless.
   *
   * @param role of the model, for the message
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
            "%s: %s holds no value head (%s) to score by; without model_args.model_type it is a generative model"
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
   * Reads the weights in {@code files}, into new memory except for those in a format of {@code
   * inPlace}; a value head is always f32. Parameters that {@link #find} lacks are initialized.
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
   * model. Heads, which differ by use, and rotary tables of old files are ignored.
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
                  "%s: tensor '%s' does not belong to the model that config.json describes"
                      .formatted(files.source(), name));
            });
  }

  private static boolean ofTower(String name) {
    return name.startsWith("visual.");
  }

  /**
   * Refuses weights that are NaN or infinite.
   *
   * @throws UserException naming the first such tensor
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

  /** Returns the numbers of {@code stored} as f32, in new memory owned by {@code owner}. */
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
   * Returns the mapped numbers of {@code stored}, copy-on-write. {@code owner} owns the mapping,
   * which may be an argument of recorded calls.
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
