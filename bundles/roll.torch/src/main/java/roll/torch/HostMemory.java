package roll.torch;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The memory of this machine, or of the container that this process runs in. */
public final class HostMemory {
  private HostMemory() {}

  /** Returns the total host memory in bytes. */
  public static long bytes() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }
}
