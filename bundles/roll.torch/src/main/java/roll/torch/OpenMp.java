package roll.torch;

import roll.torch.foreign.NativeEnvironment;

/** Settings of OpenMP, with which native operations use several cores. */
final class OpenMp {
  private static final String POLICY = "OMP_WAIT_POLICY";

  /** Number of spins of a thread of GNU's OpenMP before it sleeps. */
  private static final String SPINS = "10000";

  private OpenMp() {}

  /**
   * Makes waiting threads spin for some tenths of a millisecond before they sleep, unless the
   * environment variable {@code OMP_WAIT_POLICY} is set. Threads are woken thousands of times a
   * second during a step, which costs more than spinning; but if other programs keep the cores
   * busy, a long spin takes time from the thread that is waited for. Must be called before libtorch
   * is loaded, which is when the library reads its environment. Does nothing if the C library has
   * no {@code setenv}.
   */
  static void waitShortly() {
    if (System.getenv(POLICY) != null) {
      return;
    }
    NativeEnvironment.setDefault(POLICY, "passive");
    NativeEnvironment.setDefault("GOMP_SPINCOUNT", SPINS);
  }
}
