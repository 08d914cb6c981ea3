package roll.torch;

import ai.djl.Model;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compiled TorchScript functions of a device. Their sources are text resources of top-level {@code
 * def}s, which become methods of one class: they call each other as {@code self.name(…)} and read
 * constants as {@code self.NAME}.
 *
 * <p>Used on the device's compute thread alone.
 */
public final class Kernels implements AutoCloseable {
  private final PtSymbolBlock block;

  /** Owns the tensors that name methods, on the host. */
  private final NDManager host;

  private final Map<String, NDArray> markers = new HashMap<>();
  private final Map<String, Long> nanoseconds = new TreeMap<>();

  private Kernels(Model model) {
    this.block = (PtSymbolBlock) model.getBlock();
    this.host = model.getNDManager().newSubManager(ai.djl.Device.cpu());
  }

  /** Returns the text of resource {@code name} in the package of {@code anchor}. */
  public static String source(Class<?> anchor, String name) {
    try (InputStream stream = anchor.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalArgumentException("no resource " + name + " beside " + anchor.getName());
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Compiles the TorchScript {@code sources} together, unless the device has done so before.
   * Functions that create a tensor must name its device: that of an argument, or {@code
   * torch.device(self.DEVICE)}, which is {@code device}.
   *
   * @param constants values (Integer, Double, Boolean or String) that the sources read as {@code
   *     self.NAME}
   * @throws ai.djl.engine.EngineException with line and caret, if a source does not compile
   */
  public static Kernels compile(
      Device device, Map<String, Object> constants, List<String> sources) {
    Map<String, Object> all = new HashMap<>(constants);
    all.put("DEVICE", device.name());
    return new Kernels(device.modules().get(device, KernelArchive.source(all, sources)));
  }

  /**
   * Calls the compiled function {@code method} without autograd. Its results must not be arguments
   * of a later {@link #record recorded} call.
   *
   * @param owner owns the results
   * @param arguments each an {@link NDArray} (Tensor), an {@link NDList} (List[Tensor]), an Integer
   *     or Long (int), a long[] (List[int]), a Double or Float (float), a Boolean (bool), or a
   *     String (str)
   * @return the result, tuples and lists flattened
   */
  public NDList call(NDManager owner, String method, Object... arguments) {
    long start = System.nanoTime();
    IValue[] values = new IValue[arguments.length];
    try {
      for (int i = 0; i < arguments.length; i++) {
        values[i] = value(arguments[i]);
      }
      try (IValue result = IValueUtils.runMethod(block, method, values)) {
        return result.toNDList((PtNDManager) owner);
      }
    } catch (EngineException failure) {
      throw EngineFailures.ofOperation(failure);
    } finally {
      for (IValue value : values) {
        if (value != null) {
          value.close();
        }
      }
      spent(method, start);
    }
  }

  /**
   * Calls {@code method} with autograd: its results may be arguments of later calls, whose {@code
   * torch.grad} runs backward through this call.
   *
   * @param owner owns the results
   * @param arguments each an {@link NDArray} (Tensor) or an {@link NDList} (List[Tensor])
   * @return the result, tuples and lists flattened
   */
  public NDList record(NDManager owner, String method, Object... arguments) {
    long start = System.nanoTime();
    NDList inputs = new NDList(marker(method));
    for (int i = 0; i < arguments.length; i++) {
      add(inputs, arguments[i], "a" + i + "[]");
    }
    JniUtils.setGradMode(true);
    try {
      NDList results = IValueUtils.forward(block, inputs, true);
      results.attach(owner);
      return results;
    } catch (EngineException failure) {
      throw EngineFailures.ofOperation(failure);
    } finally {
      JniUtils.setGradMode(false);
      spent(method, start);
    }
  }

  /** Returns the array by which DJL knows which method to call. */
  private NDArray marker(String method) {
    return markers.computeIfAbsent(
        method,
        name -> {
          NDArray marker = host.create(false);
          marker.setName("module_method:" + name);
          return marker;
        });
  }

  private void spent(String method, long start) {
    nanoseconds.merge(method, System.nanoTime() - start, Long::sum);
  }

  /** Returns the total seconds spent in each method. */
  public Map<String, Double> seconds() {
    Map<String, Double> seconds = new TreeMap<>();
    nanoseconds.forEach((method, time) -> seconds.put(method, time * 1e-9));
    return seconds;
  }

  /** Adds an argument: DJL distinguishes lists from single tensors by the names of the arrays. */
  private static void add(NDList inputs, Object argument, String listName) {
    switch (argument) {
      case NDArray tensor -> {
        tensor.setName(null);
        inputs.add(tensor);
      }
      case NDList tensors -> {
        tensors.forEach(tensor -> tensor.setName(listName));
        inputs.addAll(tensors);
      }
      default -> throw new IllegalArgumentException("cannot record an argument " + argument);
    }
  }

  private static IValue value(Object argument) {
    return switch (argument) {
      case PtNDArray tensor -> IValue.from(tensor);
      case NDList tensors ->
          IValue.listFrom(tensors.stream().map(PtNDArray.class::cast).toArray(PtNDArray[]::new));
      case Integer number -> IValue.from(number.longValue());
      case Long number -> IValue.from(number.longValue());
      case Float number -> IValue.from(number.doubleValue());
      case Double number -> IValue.from(number.doubleValue());
      case Boolean flag -> IValue.from(flag.booleanValue());
      case String text -> IValue.from(text);
      case long[] numbers -> IValue.listFrom(numbers);
      default -> throw new IllegalArgumentException("cannot pass an argument " + argument);
    };
  }

  /** Returns the names of all methods. */
  List<String> methods() {
    return Arrays.asList(JniUtils.getMethodNames(block));
  }

  @Override
  public void close() {
    host.close();
  }
}
