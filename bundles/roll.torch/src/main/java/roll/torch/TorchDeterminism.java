package roll.torch;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.device.DeterministicAlgorithms;
import roll.torch.foreign.GlobalContext;
import roll.torch.foreign.NativeEnvironment;

/** Switches on libtorch's deterministic algorithms while at least one run uses them. */
@Component(
    name = "roll.torch.determinism",
    service = DeterministicAlgorithms.class,
    property = DeterministicAlgorithms.KIND + "=torch")
public final class TorchDeterminism implements DeterministicAlgorithms {
  private final Devices devices;
  private @Nullable GlobalContext context;
  private int uses;

  /** Creates the switch of the library that computes on {@code devices}. */
  @Activate
  public TorchDeterminism(@Reference Devices devices) {
    this.devices = devices;
  }

  /**
   * {@inheritDoc}
   *
   * <p>cuBLAS is deterministic only with a fixed workspace for each stream, configured by the
   * environment when it starts (<a
   * href="https://docs.nvidia.com/cuda/cublas/index.html#results-reproducibility">cuBLAS</a>).
   */
  @Override
  public synchronized Use use() {
    if (context == null) {
      NativeEnvironment.setDefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8");
      var unused = devices.whole().load();
      context = new GlobalContext();
    }
    if (uses == 0) {
      context.setDeterministic(true);
    }
    uses++;
    AtomicBoolean open = new AtomicBoolean(true);
    return () -> {
      if (open.getAndSet(false)) {
        end();
      }
    };
  }

  private synchronized void end() {
    uses--;
    if (uses == 0 && context != null) {
      context.setDeterministic(false);
    }
  }
}
