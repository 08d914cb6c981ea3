package roll.torch;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Records work of a device once and repeats it by one call, as CUDA graphs do. Used only on the
 * compute thread.
 */
@ConsumerType
public interface StepRecorder {
  /**
   * Runs {@code work} at least once, to load what it needs, and records it.
   *
   * @param work calls kernels that read nothing on the host; tensors that outlive it must keep
   *     their addresses until the recording is closed
   * @throws RuntimeException if it cannot be recorded
   */
  Recording record(Runnable work);

  /** Recorded work. */
  @ConsumerType
  interface Recording extends AutoCloseable {
    /** Runs the work again, with the present numbers of its tensors. */
    void replay();

    /** Frees the memory of the recording. */
    @Override
    void close();
  }
}
