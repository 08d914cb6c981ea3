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
 * bf16. Trained bf16 parameters also have f32 master weights, since single optimizer steps are
 * often too small to change a bf16 number. A value head is always f32. Owns the tensors. Shared by
 * reference between sessions of one device; only the optimizer changes them, on the compute thread.
 */
public final class Parameters implements WeightSource, AutoCloseable {
  private final Device device;
  private final DecoderSpec spec;
  private final List<DecoderSpec.Parameter> parameters;
  private final NDManager manager;
  private final NDList tensors;
  private List<Integer> trained;
  private NDList masters;

  /** The {@link JoinedTensors} of the layers. */
  private final NDList joined = new NDList();

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

  /** Returns parameters filled with zeros. Only on the compute thread. */
  public static Parameters zeros(Device device, DecoderSpec spec) {
    NDManager manager = device.newManager();
    NDList tensors = new NDList();
    Parameters result =
        new Parameters(device, spec, manager, tensors, TrainedParameters.standard(spec));
    result.parameters.forEach(parameter -> tensors.add(zeros(manager, parameter)));
    return result;
  }

  /**
   * Wraps {@code tensors}, read-only until {@link #train} is called.
   *
   * @param manager owns exactly {@code tensors}, and is closed with this object
   * @param tensors in the order of the specification; the caller may still add them
   * @param dtype format of all tensors except a value head
   */
  static Parameters of(
      Device device, DecoderSpec spec, NDManager manager, NDList tensors, Dtype dtype) {
    Parameters parameters = new Parameters(device, spec, manager, tensors, List.of());
    parameters.dtype = dtype;
    return parameters;
  }

  /**
   * Returns these weights with new adapters, which alone are trained: each A is a function of
   * {@code seed} and its name, each B is zero, so that they change nothing yet. The result takes
   * over the weights: this object must not be used or closed afterward. Only on the compute thread.
   */
  public Parameters with(Adapter adapter, long seed) {
    DecoderSpec adapted = spec.with(adapter);
    NDList all = new NDList();
    Parameters result =
        new Parameters(device, adapted, manager, all, TrainedParameters.standard(adapted));
    result.joined.addAll(joined);
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
   * Returns a view of the same memory as tensors of {@code device} with autograd of their own. Only
   * on its compute thread; the caller closes the view before these parameters.
   */
  public Parameters view(Device device) {
    NDManager manager = device.newManager();
    Parameters result = new Parameters(device, spec, manager, views(tensors, manager), trained);
    result.joined.addAll(views(joined, manager));
    return result;
  }

  private static NDList views(NDList tensors, NDManager owner) {
    NDList views = new NDList(tensors.size());
    for (NDArray tensor : tensors) {
      NDArray view = tensor.stopGradient();
      view.attach(owner);
      views.add(view);
    }
    return views;
  }

  /**
   * Returns randomly initialized weights: each parameter is a function of {@code seed} and its
   * name. Only on the compute thread.
   */
  public static Parameters random(Device device, DecoderSpec spec, long seed) {
    Parameters random = zeros(device, spec);
    IntStream.range(0, random.tensors.size()).forEach(i -> random.start(i, seed));
    return random;
  }

  /**
   * Reads the weights in {@code files} as f32 into new memory; parameters missing from {@link
   * WeightReader#find} are initialized, as in transformers. Only on the compute thread.
   *
   * @param seed of a new value head
   * @throws roll.api.option.UserException if a tensor is missing or has another shape or type
   */
  public static Parameters read(Device device, DecoderSpec spec, Safetensors files, long seed) {
    return WeightReader.load(device, spec, files, seed, Set.of());
  }

  /**
   * Maps the weights in {@code files} read-only: f32 without a copy, and bf16 too if linear layers
   * compute in it; others are read as by {@link #read}. The files may be closed, but must not be
   * written to. Only on the compute thread.
   *
   * @param seed of a new value head
   * @throws roll.api.option.UserException if a tensor is missing or has another shape or type
   */
  public static Parameters map(
      Device device, DecoderSpec spec, Safetensors files, long seed, Dtype compute) {
    TensorFormat other = compute == Dtype.BF16 ? TensorFormat.BF16 : TensorFormat.F32;
    return WeightReader.load(device, spec, files, seed, EnumSet.of(TensorFormat.F32, other));
  }

  /** Returns a zero tensor of {@code manager} in the shape of {@code parameter}. */
  static NDArray zeros(NDManager manager, DecoderSpec.Parameter parameter) {
    return manager.zeros(shape(parameter), DataType.FLOAT32);
  }

  /**
   * Initializes parameter {@code index} as the specification says, as a function of {@code seed}.
   */
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

  /** Returns the device of the tensors. */
  public Device device() {
    return device;
  }

  /** Returns the tensors, in the order of the specification; owned by this object. */
  public NDList tensors() {
    return tensors;
  }

  /** Returns the joined tensors of the layers; none unless {@link #join} made them. */
  NDList joined() {
    return joined;
  }

  /** Returns the tensors, followed by joined ones, if any: what the layers of a decoder read. */
  public NDList layered() {
    NDList all = new NDList(tensors);
    all.addAll(joined);
    return all;
  }

  /** Returns the tensors of the head. */
  public NDList head() {
    NDList head = new NDList();
    Head.parameters(spec).forEach(i -> head.add(tensors.get(i)));
    return head;
  }

  /** Returns the number format of the parameters, except for mapped files of another format. */
  public Dtype dtype() {
    return dtype;
  }

  /**
   * Returns the trained parameters: those set by {@link #train}, by default all adapters, or all
   * parameters without adapters.
   */
  public TrainedParameters trained() {
    return TrainedParameters.of(spec, tensors, masters, trained);
  }

  /** Sets the indices of the parameters to train. Before gradients or moments are created. */
  public void train(List<Integer> indexes) {
    trained = List.copyOf(indexes);
  }

  /**
   * Rounds all to bf16, one after another; the f32 tensors of trained parameters become their
   * master weights. After {@link #train}, before gradients or moments are created, and only on the
   * compute thread.
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
   * On devices that compute by the kernel texts of cards, moves the parameters of each of the
   * {@link JoinedTensors} into one tensor, of which they become views: their contents and all
   * memory but that of one layer stay as they are. After {@link #train} and {@link #narrow}, before
   * gradients or moments are created, and only on the compute thread.
   */
  public void join() {
    if (!device.computesAsCard() || !joined.isEmpty()) {
      return;
    }
    List<String> source = List.of(Kernels.source(Parameters.class, "weights.py"));
    try (Kernels kernels = Kernels.compile(device, Map.of(), source)) {
      for (List<Integer> parts : JoinedTensors.of(spec)) {
        NDList separate = new NDList(parts.size());
        parts.forEach(i -> separate.add(tensors.get(i)));
        NDList made = kernels.record(manager, "join", separate);
        joined.add(made.head());
        for (int p = 0; p < parts.size(); p++) {
          replace(parts.get(p), made.get(p + 1));
        }
      }
    }
  }

  private void replace(int index, NDArray view) {
    NDArray old = tensors.get(index);
    if (masters.get(index) == old) {
      masters.set(index, view);
    }
    tensors.set(index, view);
    old.close();
  }

  /** Switches autograd on for trained parameters, and for joined tensors with one of them. */
  public void requireGradients() {
    trained.forEach(i -> tensors.get(i).setRequiresGradient(true));
    List<List<Integer>> parts = JoinedTensors.of(spec);
    for (int j = 0; j < joined.size(); j++) {
      if (parts.get(j).stream().anyMatch(trained::contains)) {
        joined.get(j).setRequiresGradient(true);
      }
    }
  }

  /**
   * Returns the CPU memory of parameter {@code index}, of its master weight if there is one:
   * floats, or shorts for bf16 without master, in native byte order; valid until {@link #close}.
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

  /** Returns parameter {@code index} for a file: F32, or BF16 without master weight. */
  public StoredTensor stored(int index) {
    DecoderSpec.Parameter parameter = parameters.get(index);
    List<Long> shape = parameter.shape().stream().map(Integer::longValue).toList();
    TensorFormat format = wide(index) ? TensorFormat.F32 : TensorFormat.BF16;
    return device.transfer().stored(parameter.name(), format, shape, masters.get(index));
  }

  /** Returns parameter {@code index}, its master weight if there is one. */
  NDArray master(int index) {
    return masters.get(index);
  }

  /** Returns whether parameter {@code index}, or its master weight, is f32. */
  boolean wide(int index) {
    return masters.get(index).getDataType() == DataType.FLOAT32;
  }

  /** Reads master weights, if any. */
  @Override
  public void read(int index, long first, MemorySegment target) {
    stored(index).readFloats(first, target);
  }

  /** Returns all parameters except adapters, for files. */
  public List<StoredTensor> stored() {
    return stored(parameter -> !parameter.adapts());
  }

  /** Returns the parameters of adapters, for files; empty if there are none. */
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

  /** Sets the version: the number of optimizer steps. */
  public void version(long steps) {
    version = steps;
  }

  /** Returns the shape of {@code parameter} for DJL. */
  public static Shape shape(DecoderSpec.Parameter parameter) {
    return new Shape(parameter.shape().stream().mapToLong(Integer::longValue).toArray());
  }

  @Override
  public void close() {
    manager.close();
  }
}
