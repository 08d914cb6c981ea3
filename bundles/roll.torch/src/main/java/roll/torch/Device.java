package roll.torch;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.memory.SessionMemory;
import roll.api.option.UserException;
import roll.torch.foreign.CudaDriver;
import roll.torch.foreign.CudaRuntime;

/**
 * A CPU or a CUDA card, and the single platform thread that computes on it. All work on tensors of
 * this device runs on this thread, one task after another.
 *
 * <p>Grad mode, inference mode and the number of threads are thread-local in libtorch, so a compute
 * thread must never be a virtual one. The native library is loaded by the first piece of work.
 */
public final class Device implements AutoCloseable {
  private final Supplier<Engine> engines;
  private final ai.djl.Device place;
  private final int threads;
  private final HostTransfer transfer;
  private final CardFeatures card;
  private final ComputeThread compute;
  private final CompiledModules modules = new CompiledModules();
  private @Nullable Engine engine;
  private @Nullable LinearBackends linear;

  /**
   * Creates a CPU device; its thread is not started yet.
   *
   * @param engines supplies the PyTorch engine, loading its native library if necessary
   * @param threads maximum number of threads of one native operation
   */
  public Device(Supplier<Engine> engines, int threads) {
    this(engines, ai.djl.Device.cpu(), threads, new HostTransfer(true), CardFeatures.real());
  }

  private Device(
      Supplier<Engine> engines,
      ai.djl.Device place,
      int threads,
      HostTransfer transfer,
      CardFeatures card) {
    this.engines = engines;
    this.place = place;
    this.threads = threads;
    this.transfer = transfer;
    this.card = card;
    this.compute = new ComputeThread(this::start, this::explained);
  }

  /** Returns the CPU with all its cores, on the engine found on the class path. */
  public static Device cpu() {
    return cpu(Runtime.getRuntime().availableProcessors());
  }

  /** Returns the CPU, where one native operation uses {@code threads} of its cores. */
  public static Device cpu(int threads) {
    return new Device(() -> Engine.getEngine("PyTorch"), threads);
  }

  /**
   * Returns a CUDA card; its thread is not started yet.
   *
   * @param engines supplies a PyTorch engine that was built for CUDA
   * @param number that CUDA has for the card in this process
   * @param threads maximum number of cores for operations on the host
   */
  static Device gpu(Supplier<Engine> engines, int number, int threads) {
    return new Device(
        engines,
        ai.djl.Device.gpu(number),
        threads,
        HostTransfer.ofCard(number),
        CardFeatures.real());
  }

  /**
   * Returns the CPU, but with tensors that must be copied to and from the host, as those of a card.
   * Tests use it to find code that reads tensors in place.
   */
  public static Device cpuByCopies(int threads, long buffer) {
    return cpuByCopies(threads, new HostTransfer(false, buffer, -1, null));
  }

  /** Returns the same with the given transfer. */
  static Device cpuByCopies(int threads, HostTransfer transfer) {
    return new Device(
        () -> Engine.getEngine("PyTorch"),
        ai.djl.Device.cpu(),
        threads,
        transfer,
        CardFeatures.real());
  }

  /**
   * Returns the CPU, but with the kernel texts of cards. Tests use it.
   *
   * @param written sources in operators of the CPU
   * @param recorder in place of CUDA graphs; null for none
   */
  public static Device cpuWithCardTexts(
      int threads, CardOperators written, @Nullable StepRecorder recorder) {
    return new Device(
        () -> Engine.getEngine("PyTorch"),
        ai.djl.Device.cpu(),
        threads,
        new HostTransfer(true),
        CardFeatures.written(written, recorder));
  }

  /** Returns whether the kernel texts of cards are used on the device. */
  public boolean computesAsCard() {
    return accelerated() || card.isWritten();
  }

  /**
   * Returns the operators of a device that {@link #computesAsCard}; null for other devices. Only on
   * the compute thread.
   */
  public @Nullable CardOperators cardOperators() {
    return card.operators(this);
  }

  /**
   * Returns {@code count} devices, each with an equal share of this one's threads, at least one.
   * They may compute concurrently while this device waits for them. The caller closes them.
   */
  public List<Device> split(int count) {
    return IntStream.range(0, count).mapToObj(i -> share(1, count)).toList();
  }

  /**
   * Returns a device with {@code some} of {@code count} equal shares of this one's threads, at
   * least one. The caller closes it.
   */
  Device share(int some, int count) {
    int part = (int) Math.max(1, (long) threads * some / count);
    return new Device(engines, place, part, transfer.another(), card.another());
  }

  /** Returns whether the device is an accelerator, with memory of its own. */
  public boolean accelerated() {
    return place.isGpu();
  }

  /** Returns the device's CUDA device number, -1 for the CPU. */
  public int number() {
    return place.getDeviceId();
  }

  /** Returns the compute capability of a card, such as 9.0; 0 for the CPU. */
  public double capability() {
    return accelerated() ? Double.parseDouble(CudaDriver.cards().get(number()).capability()) : 0;
  }

  /** Returns PyTorch's name of the device: {@code cpu}, or {@code cuda:} and a number. */
  public String name() {
    return accelerated() ? "cuda:" + number() : "cpu";
  }

  /** Returns the maximum number of threads of one native operation. */
  int threads() {
    return threads;
  }

  /**
   * Runs {@code work} on the compute thread after all work submitted before, or immediately if
   * called on that thread. An exception completes the future.
   */
  public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> work) {
    return compute.submit(work);
  }

  /**
   * Like {@link #submit}, but always after all work submitted before, even if called on the compute
   * thread.
   */
  public <T extends @Nullable Object> CompletableFuture<T> queue(Callable<T> work) {
    return compute.queue(work);
  }

  private RuntimeException explained(EngineException failure) {
    return accelerated() ? EngineFailures.ofCard(name(), failure) : failure;
  }

  /**
   * Runs {@code work} on the device's compute thread and waits for it; an unchecked failure is
   * rethrown.
   */
  public <T extends @Nullable Object> T call(Callable<T> work) {
    return await(submit(work));
  }

  /** Waits for the future {@code work}; an unchecked failure is rethrown as it is. */
  public static <T extends @Nullable Object> T await(CompletableFuture<T> work) {
    try {
      return work.join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw failure;
    }
  }

  /**
   * Returns a new manager of tensors on this device; the caller closes it. Only on the compute
   * thread.
   */
  public NDManager newManager() {
    return engine().newBaseManager(place);
  }

  /**
   * Returns a manager of host tensors that lives as long as {@code owner}. Tensors that kernels
   * read as numbers are on the host, to avoid a synchronization with the accelerator.
   */
  public static NDManager host(NDManager owner) {
    return owner.getDevice().isGpu() ? owner.newSubManager(ai.djl.Device.cpu()) : owner;
  }

  /** Returns the transfer that reads and writes its tensors. */
  public HostTransfer transfer() {
    return transfer;
  }

  /** Returns the device as DJL's device object. */
  ai.djl.Device place() {
    return place;
  }

  /** Returns the engine of the device. Only on the compute thread. */
  Engine engine() {
    if (engine == null || !compute.isCurrent()) {
      throw new IllegalStateException("tensors are used outside the device's compute thread");
    }
    return engine;
  }

  /**
   * Runs {@code work} with at most {@code most} threads for each native operation. Only on the
   * compute thread.
   */
  public <T> T limited(int most, Supplier<T> work) {
    if (most >= threads || accelerated()) {
      return work.get();
    }
    JniUtils.setNumThreads(most);
    try {
      return work.get();
    } finally {
      JniUtils.setNumThreads(threads);
    }
  }

  /** Returns {@code held}, for a card with its memory in use added. On any thread. */
  public List<SessionMemory> observed(List<SessionMemory> held) {
    return accelerated() ? ReservedMemory.with(held, number()) : held;
  }

  /** Returns freed memory to the system. Only on the compute thread. */
  public void trim() {
    if (accelerated()) {
      JniUtils.emptyCudaCache();
    }
    NativeHeap.trim();
  }

  /** Returns the compiled modules of this device. Only on the compute thread. */
  CompiledModules modules() {
    engine();
    return modules;
  }

  /** Returns the backends of linear layers on this device. Only on the compute thread. */
  public LinearBackends linear() {
    engine();
    if (linear == null) {
      linear = LinearBackends.of(this);
    }
    return linear;
  }

  /** Returns what records steps of this device, null if nothing can. Only on the compute thread. */
  public @Nullable StepRecorder recorder() {
    engine();
    return card.recorder(this);
  }

  private void start() {
    if (engine != null) {
      return;
    }
    engine = load();
    if (accelerated()) {
      CudaRuntime.loaded().select(number());
    }
    // libtorch adopts the number that any thread set last, when it first reads it
    JniUtils.getNumThreads();
    JniUtils.setNumThreads(threads);
    JniUtils.setGraphExecutorOptimize(false);
    JniUtils.setGradMode(false);
  }

  /**
   * Loads the native libraries of libtorch. On any thread.
   *
   * @throws UserException if this machine has none
   */
  public Engine load() {
    OpenMp.waitShortly();
    try {
      return engines.get();
    } catch (EngineException | LinkageError failure) {
      throw EngineFailures.notLoaded(failure);
    }
  }

  /** Ends the compute thread after all submitted work. */
  @Override
  public void close() {
    compute.close(
        () -> {
          modules.close();
          transfer.close();
        });
  }
}
