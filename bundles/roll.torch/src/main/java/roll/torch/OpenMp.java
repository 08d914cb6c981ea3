package roll.torch;

import roll.torch.foreign.NativeEnvironment;

/** The library with which one native operation uses several cores. */
final class OpenMp {
  private static final String POLICY = "OMP_WAIT_POLICY";

  /** How often a thread of GNU's library looks before it sleeps. */
  private static final String SPINS = "10000";

  private OpenMp() {}

  /**
   * Has threads that wait for one another spin for some tenths of a millisecond and then sleep,
   * unless the environment variable {@code OMP_WAIT_POLICY} says what they do. Between the
   * operations of a step they are woken thousands of times a second, which costs more than the
   * spinning; but where other programs keep the cores busy, a thread that spins for long takes the
   * time of the one it waits for. To be called before libtorch is loaded, for that is when the
   * library reads its environment; C libraries without {@code setenv} are left alone.
   */
  static void waitShortly() {
    if (System.getenv(POLICY) != null) {
      return;
    }
    NativeEnvironment.setDefault(POLICY, "passive");
    NativeEnvironment.setDefault("GOMP_SPINCOUNT", SPINS);
  }
}
