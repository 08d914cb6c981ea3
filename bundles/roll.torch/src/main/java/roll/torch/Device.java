package roll.torch;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.memory.DeviceMemory;
import roll.api.option.UserException;
import roll.torch.foreign.CudaRuntime;

/**
 * One place to compute, and the one platform thread that computes there. Whatever touches a tensor
 * of this device runs on this thread, one piece of work after another.
 *
 * <p>Grad mode, inference mode and the number of threads are thread-local in libtorch, so a compute
 * thread must never be a virtual one. The native library is loaded by the first piece of work.
 */
public final class Device implements AutoCloseable {
  private final Supplier<Engine> engines;
  private final ai.djl.Device place;
  private final int threads;
  private final HostTransfer transfer;
  private final ExecutorService executor;
  private volatile @Nullable Thread thread;
  private @Nullable Engine engine;
  private @Nullable LinearBackends linear;

  /**
   * Cores of the CPU, not started yet.
   *
   * @param engines gives the PyTorch engine, loading its native library if necessary
   * @param threads how many threads one native operation may use
   */
  public Device(Supplier<Engine> engines, int threads) {
    this(engines, ai.djl.Device.cpu(), threads, new HostTransfer(true));
  }

  private Device(
      Supplier<Engine> engines, ai.djl.Device place, int threads, HostTransfer transfer) {
    this.engines = engines;
    this.place = place;
    this.threads = threads;
    this.transfer = transfer;
    this.executor =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("roll-compute").daemon(true).factory());
  }

  /** The CPU with all its cores, on the engine found on the class path. */
  public static Device cpu() {
    return cpu(Runtime.getRuntime().availableProcessors());
  }

  /** The CPU, one native operation using {@code threads} of its cores. */
  public static Device cpu(int threads) {
    return new Device(() -> Engine.getEngine("PyTorch"), threads);
  }

  /**
   * A CUDA card, not started yet.
   *
   * @param engines gives a PyTorch engine that was built for CUDA
   * @param number that CUDA has for the card in this process
   * @param threads how many cores what is left to the host may use
   */
  static Device gpu(Supplier<Engine> engines, int number, int threads) {
    return new Device(engines, ai.djl.Device.gpu(number), threads, new HostTransfer(false));
  }

  /**
   * The CPU, whose tensors are copied to and from the host as those of an accelerator are: what
   * counts on finding them in the host's memory fails there.
   */
  public static Device cpuByCopies(int threads, long buffer) {
    return new Device(
        () -> Engine.getEngine("PyTorch"),
        ai.djl.Device.cpu(),
        threads,
        new HostTransfer(false, buffer));
  }

  /**
   * {@code count} devices of which each has its share of this one's threads, at least one. They may
   * compute at the same time, while this one waits for them. The caller closes them.
   */
  public List<Device> split(int count) {
    return IntStream.range(0, count).mapToObj(i -> share(1, count)).toList();
  }

  /**
   * A device with {@code some} of {@code count} equal shares of this one's threads, at least one.
   * The caller closes it.
   */
  Device share(int some, int count) {
    int part = (int) Math.max(1, (long) threads * some / count);
    return new Device(engines, place, part, transfer.another());
  }

  /** Whether it is an accelerator: its tensors are in memory of its own. */
  public boolean accelerated() {
    return place.isGpu();
  }

  /** The number that CUDA has for it, -1 for the CPU. */
  public int number() {
    return place.getDeviceId();
  }

  /** As PyTorch names it: {@code cpu}, or {@code cuda:} and a number. */
  public String name() {
    return accelerated() ? "cuda:" + number() : "cpu";
  }

  /** How many threads one native operation may use. */
  int threads() {
    return threads;
  }

  /**
   * Runs {@code work} on the compute thread, after what was submitted before; at once if this is
   * that thread. Its exception is the future's.
   */
  public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    if (Thread.currentThread() == thread) {
      run(work, result);
    } else {
      executor.execute(() -> run(work, result));
    }
    return result;
  }

  /** As {@link #submit}, but after what was submitted before also if this is that thread. */
  public <T extends @Nullable Object> CompletableFuture<T> queue(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    executor.execute(() -> run(work, result));
    return result;
  }

  private <T extends @Nullable Object> void run(Callable<T> work, CompletableFuture<T> result) {
    try {
      start();
      result.complete(work.call());
    } catch (EngineException failure) {
      result.completeExceptionally(
          accelerated() ? EngineFailures.ofCard(name(), failure) : failure);
    } catch (Throwable failure) {
      result.completeExceptionally(failure);
    }
  }

  /** Runs {@code work} on the compute thread and waits for it; an unchecked failure is rethrown. */
  public <T extends @Nullable Object> T call(Callable<T> work) {
    return await(submit(work));
  }

  /** Waits for {@code work}; an unchecked failure is rethrown as it is. */
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

  /** A new owner of tensors on this device; the caller closes it. Only on the compute thread. */
  public NDManager newManager() {
    return engine().newBaseManager(place);
  }

  /**
   * Owns tensors of the host as long as {@code owner} lives: what kernels read as numbers is there,
   * so that nobody waits for an accelerator.
   */
  public static NDManager host(NDManager owner) {
    return owner.getDevice().isGpu() ? owner.newSubManager(ai.djl.Device.cpu()) : owner;
  }

  /** Reads and writes its tensors. */
  public HostTransfer transfer() {
    return transfer;
  }

  /** The engine's own name for it. */
  ai.djl.Device place() {
    return place;
  }

  /** The engine. Only on the compute thread. */
  Engine engine() {
    if (engine == null || Thread.currentThread() != thread) {
      throw new IllegalStateException("tensors are used outside the device's compute thread");
    }
    return engine;
  }

  /**
   * Runs {@code work}, its native operations using at most {@code most} threads. Only on the
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

  /** {@code held} on it, and of a card also what is in use of its memory. On any thread. */
  public List<DeviceMemory> observed(List<DeviceMemory> held) {
    return accelerated() ? ReservedMemory.with(held, number()) : held;
  }

  /** Gives memory that was freed back to the system. Only on the compute thread. */
  public void trim() {
    if (accelerated()) {
      JniUtils.emptyCudaCache();
    }
    NativeHeap.trim();
  }

  /** How linear layers are multiplied here. Only on the compute thread. */
  public LinearBackends linear() {
    engine();
    if (linear == null) {
      linear = LinearBackends.of(this);
    }
    return linear;
  }

  private void start() {
    if (engine != null) {
      return;
    }
    thread = Thread.currentThread();
    engine = load();
    if (accelerated()) {
      CudaRuntime.loaded().select(number());
    }
    // libtorch takes over the number that was set last, by whichever thread, when it first reads it
    JniUtils.getNumThreads();
    JniUtils.setNumThreads(threads);
    JniUtils.setGraphExecutorOptimize(false);
    JniUtils.setGradMode(false);
  }

  /**
   * Loads the native libraries. On any thread.
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

  /** Ends the compute thread after what was submitted. */
  @Override
  public void close() {
    if (!executor.isShutdown()) {
      executor.execute(transfer::close);
      executor.shutdown();
    }
    try {
      if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
