package roll.cluster.transfer.wire;

import java.io.IOException;
import roll.cluster.transfer.wire.TransferMessage.Reason;
import roll.cluster.transfer.wire.TransferMessage.Refused;

/** Another node refuses what it was asked for. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** It said {@code refused}. */
  public RefusedException(Refused refused) {
    super("it refuses: " + refused.text());
    this.reason = refused.reason();
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }
}
