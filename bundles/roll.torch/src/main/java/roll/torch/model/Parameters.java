package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.huggingface.Safetensors;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.Device;
import roll.torch.HostTransfer;
import roll.torch.Kernels;
import roll.torch.TensorMemory;

/**
 * A model's weights: one tensor per parameter, in the order of its {@link DecoderSpec}, in f32 or
 * bf16. Of what is trained in bf16 there is an f32 tensor too, the master weight: single steps of
 * an optimizer are often too small to change a bf16 number. A value head is f32 always. Owns the
 * tensors. Shared by reference between sessions of one device; changed on its compute thread alone,
 * by the optimizer.
 */
public final class Parameters implements WeightSource, AutoCloseable {
  private final Device device;
  private final DecoderSpec spec;
  private final List<DecoderSpec.Parameter> parameters;
  private final NDManager manager;
  private final NDList tensors;
  private List<Integer> trained;
  private NDList masters;
  private Dtype dtype = Dtype.FP32;
  private volatile long version;

  private Parameters(
      Device device, DecoderSpec spec, NDManager manager, NDList tensors, List<Integer> trained) {
    this.device = device;
    this.spec = spec;
    this.parameters = DecoderParameters.of(spec);
    this.manager = manager;
    this.tensors = tensors;
    this.trained = trained;
    this.masters = tensors;
  }

  /** All zeros. Only on the compute thread. */
  public static Parameters zeros(Device device, DecoderSpec spec) {
    NDManager manager = device.newManager();
    NDList tensors = new NDList();
    Parameters result =
        new Parameters(device, spec, manager, tensors, TrainedParameters.standard(spec));
    result.parameters.forEach(parameter -> tensors.add(zeros(manager, parameter)));
    return result;
  }

  /**
   * What is given, to be read alone unless {@link #train} says otherwise.
   *
   * @param manager owns {@code tensors} and nothing else, and is closed with this object
   * @param tensors those of the specification, in its order; the caller may still add them
   * @param dtype what all tensors are, except for a value head
   */
  static Parameters of(
      Device device, DecoderSpec spec, NDManager manager, NDList tensors, Dtype dtype) {
    Parameters parameters = new Parameters(device, spec, manager, tensors, List.of());
    parameters.dtype = dtype;
    return parameters;
  }

  /**
   * These weights and beside them new adapters, which alone are trained: each A is a function of
   * {@code seed} and its name, each B zero, so that they change nothing yet. The weights are taken
   * over: this object is not to be used or closed any more. Only on the compute thread.
   */
  public Parameters with(Adapter adapter, long seed) {
    DecoderSpec adapted = spec.with(adapter);
    NDList all = new NDList();
    Parameters result =
        new Parameters(device, adapted, manager, all, TrainedParameters.standard(adapted));
    Iterator<NDArray> own = tensors.iterator();
    for (DecoderSpec.Parameter parameter : result.parameters) {
      if (parameter.adapts()) {
        all.add(zeros(manager, parameter));
        result.start(all.size() - 1, seed);
      } else {
        all.add(own.next());
      }
    }
    return result;
  }

  /**
   * The same memory as tensors of {@code device}, which record for gradients of their own. Only on
   * its compute thread; the caller closes the view, before these parameters.
   */
  public Parameters view(Device device) {
    NDManager manager = device.newManager();
    NDList views = new NDList(tensors.size());
    for (NDArray tensor : tensors) {
      NDArray view = tensor.stopGradient();
      view.attach(manager);
      views.add(view);
    }
    return new Parameters(device, spec, manager, views, trained);
  }

  /**
   * Random weights, as the specification starts them: each parameter is a function of {@code seed}
   * and its name. Only on the compute thread.
   */
  public static Parameters random(Device device, DecoderSpec spec, long seed) {
    Parameters random = zeros(device, spec);
    IntStream.range(0, random.tensors.size()).forEach(i -> random.start(i, seed));
    return random;
  }

  /**
   * The weights in {@code files}, as f32 in memory of their own; what {@link WeightReader#find}
   * lacks starts as the specification says, as in transformers. Only on the compute thread.
   *
   * @param seed of a new value head
   * @throws roll.api.option.UserException if a tensor is missing or has another shape or type
   */
  public static Parameters read(Device device, DecoderSpec spec, Safetensors files, long seed) {
    return WeightReader.load(device, spec, files, seed, Set.of());
  }

  /**
   * The weights in {@code files}, to be read alone: f32 where they are in the files, without a
   * copy, and bf16 too if that is what linear layers compute in; others as {@link #read}. The files
   * may be closed, but must not be written to. Only on the compute thread.
   *
   * @param seed of a new value head
   * @throws roll.api.option.UserException if a tensor is missing or has another shape or type
   */
  public static Parameters map(
      Device device, DecoderSpec spec, Safetensors files, long seed, Dtype compute) {
    TensorFormat other = compute == Dtype.BF16 ? TensorFormat.BF16 : TensorFormat.F32;
    return WeightReader.load(device, spec, files, seed, EnumSet.of(TensorFormat.F32, other));
  }

  /** A tensor of {@code manager} in the shape of {@code parameter}. */
  static NDArray zeros(NDManager manager, DecoderSpec.Parameter parameter) {
    return manager.zeros(shape(parameter), DataType.FLOAT32);
  }

  /** Starts parameter {@code index} as the specification says: a function of {@code seed}. */
  void start(int index, long seed) {
    DecoderSpec.Parameter parameter = parameters.get(index);
    ParameterInitializer values =
        new ParameterInitializer(parameter, spec.initializerRange(), seed);
    fill(index, (first, part) -> values.fill(part));
  }

  @Override
  public DecoderSpec spec() {
    return spec;
  }

  /** Whose tensors they are. */
  public Device device() {
    return device;
  }

  /** The tensors, in the order of the specification; owned by this object. */
  public NDList tensors() {
    return tensors;
  }

  /** Those of them that are the head's. */
  public NDList head() {
    NDList head = new NDList();
    Head.parameters(spec).forEach(i -> head.add(tensors.get(i)));
    return head;
  }

  /** What they are, except for those that are mapped files of another format. */
  public Dtype dtype() {
    return dtype;
  }

  /**
   * What is trained of them, unless {@link #train} was told otherwise: everything, or the adapters
   * where there are any.
   */
  public TrainedParameters trained() {
    return TrainedParameters.of(spec, tensors, masters, trained);
  }

  /** Trains the parameters {@code indexes} alone. Before gradients or moments are made. */
  public void train(List<Integer> indexes) {
    trained = List.copyOf(indexes);
  }

  /**
   * Rounds all to bf16, one after another; the f32 tensors of what is trained become its master
   * weights. After {@link #train}, before gradients or moments are made, and only on the compute
   * thread.
   */
  public void narrow(Device device) {
    masters = new NDList(tensors);
    dtype = Dtype.BF16;
    List<String> source = List.of(Kernels.source(Parameters.class, "weights.py"));
    try (Kernels kernels = Kernels.compile(device, Map.of(), source)) {
      int end =
          tensors.size() - (spec.has(Trait.VALUE_HEAD) ? DecoderParameters.head(spec).size() : 0);
      Set<Integer> own = Set.copyOf(trained);
      for (int i = 0; i < end; i++) {
        NDArray wide = tensors.get(i);
        tensors.set(i, kernels.record(manager, "narrow", wide).singletonOrThrow());
        if (!own.contains(i)) {
          masters.set(i, tensors.get(i));
          wide.close();
        }
      }
    }
  }

  /**
   * The memory of parameter {@code index} on the CPU, of its master weight if there is one: floats,
   * or shorts where it is bf16 alone, in native byte order; valid until {@link #close}.
   */
  public MemorySegment memory(int index) {
    if (!device.transfer().direct()) {
      throw new IllegalArgumentException("weights of " + device.name() + " have no memory here");
    }
    return TensorMemory.of(masters.get(index));
  }

  /** Fills parameter {@code index}, its master weight if there is one. */
  void fill(int index, HostTransfer.Filler filler) {
    device.transfer().fill(masters.get(index), filler);
  }

  /** Parameter {@code index} as files hold it: F32, or BF16 where there is no more of it. */
  public StoredTensor stored(int index) {
    DecoderSpec.Parameter parameter = parameters.get(index);
    List<Long> shape = parameter.shape().stream().map(Integer::longValue).toList();
    TensorFormat format = wide(index) ? TensorFormat.F32 : TensorFormat.BF16;
    return device.transfer().stored(parameter.name(), format, shape, masters.get(index));
  }

  /** Whether parameter {@code index}, its master weight if there is one, is f32. */
  boolean wide(int index) {
    return masters.get(index).getDataType() == DataType.FLOAT32;
  }

  /** Reads master weights where there are any. */
  @Override
  public void read(int index, long first, MemorySegment target) {
    stored(index).readFloats(first, target);
  }

  /** All parameters but those of adapters, as files hold them. */
  public List<StoredTensor> stored() {
    return stored(parameter -> !parameter.adapts());
  }

  /** The parameters of adapters, as files hold them; empty where there are none. */
  public List<StoredTensor> adapters() {
    return stored(parameter -> parameter.adapts() && parameter.size() > 0);
  }

  private List<StoredTensor> stored(Predicate<DecoderSpec.Parameter> which) {
    return IntStream.range(0, parameters.size())
        .filter(i -> which.test(parameters.get(i)))
        .mapToObj(this::stored)
        .toList();
  }

  @Override
  public long version() {
    return version;
  }

  /** Says that these are the weights after {@code steps} optimizer steps. */
  public void version(long steps) {
    version = steps;
  }

  /** Dimensions of {@code parameter} as the engine wants them. */
  public static Shape shape(DecoderSpec.Parameter parameter) {
    return new Shape(parameter.shape().stream().mapToLong(Integer::longValue).toArray());
  }

  @Override
  public void close() {
    manager.close();
  }
}
