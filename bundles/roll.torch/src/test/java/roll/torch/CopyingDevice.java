package roll.torch;

/** A CPU that behaves as a card does: its tensors are not found in the memory of the host. */
public final class CopyingDevice {
  private CopyingDevice() {}

  /** One thread, copying at most {@code buffer} bytes at once, a multiple of 8. */
  public static Device open(long buffer) {
    return Device.cpuByCopies(1, buffer);
  }
}
