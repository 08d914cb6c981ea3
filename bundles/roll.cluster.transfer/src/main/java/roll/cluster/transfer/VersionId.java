package roll.cluster.transfer;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Id of a version, unique for its bytes.
 *
 * @param channel channel of the version, such as {@code actor_infer}: a letter, then up to 62
 *     letters, digits, dots, dashes and underscores
 * @param epoch of the run in which it was made, from 0
 * @param number within the epoch, from 0, growing
 */
public record VersionId(String channel, long epoch, long number) {
  private static final Pattern CHANNEL = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,62}");

  /**
   * Creates an id.
   *
   * @throws IllegalArgumentException if the name of the channel is invalid, or a number is negative
   */
  public VersionId {
    if (!CHANNEL.matcher(channel).matches()) {
      throw new IllegalArgumentException("'" + channel + "' is no name of a channel");
    }
    if (epoch < 0 || number < 0) {
      throw new IllegalArgumentException("epoch " + epoch + ", number " + number);
    }
  }

  /** Returns whether this is newer than {@code other} of the same channel. */
  boolean follows(VersionId other) {
    return epoch == other.epoch ? number > other.number : epoch > other.epoch;
  }

  /** Writes the version id to the stream. */
  void write(DataOutputStream to) throws IOException {
    to.writeUTF(channel);
    to.writeLong(epoch);
    to.writeLong(number);
  }

  /**
   * Reads a version id from the stream.
   *
   * @throws IOException if it is invalid
   */
  static VersionId read(DataInputStream from) throws IOException {
    try {
      return new VersionId(from.readUTF(), from.readLong(), from.readLong());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return channel + " version " + number + " of epoch " + epoch;
  }

  /**
   * Request for the newest version of a channel in an epoch, with a minimum number.
   *
   * @param channel of the version
   * @param epoch of the run, from 0
   * @param atLeast minimum number, from 0
   * @param limit time to wait for such a version
   */
  public record Wanted(String channel, long epoch, long atLeast, Duration limit) {}
}
