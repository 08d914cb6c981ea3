package roll.cluster.transfer;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Which version of what. No two versions with the same id have different bytes.
 *
 * @param channel what it is a version of, such as {@code actor_infer}: a letter, then up to 62
 *     letters, digits, dots, dashes and underscores
 * @param epoch of the run in which it was made, from 0
 * @param number within the epoch, from 0, growing
 */
public record VersionId(String channel, long epoch, long number) {
  private static final Pattern CHANNEL = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,62}");

  /**
   * An id.
   *
   * @throws IllegalArgumentException if the channel has no such name, or a number is negative
   */
  public VersionId {
    if (!CHANNEL.matcher(channel).matches()) {
      throw new IllegalArgumentException("'" + channel + "' is no name of a channel");
    }
    if (epoch < 0 || number < 0) {
      throw new IllegalArgumentException("epoch " + epoch + ", number " + number);
    }
  }

  /** Whether this is newer than {@code other}, of the same channel. */
  boolean follows(VersionId other) {
    return epoch == other.epoch ? number > other.number : epoch > other.epoch;
  }

  /** Writes all of it. */
  void write(DataOutputStream to) throws IOException {
    to.writeUTF(channel);
    to.writeLong(epoch);
    to.writeLong(number);
  }

  /**
   * What somebody wrote.
   *
   * @throws IOException if it is no id
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
   * Which version is wanted: the newest of a channel, of this epoch, with at least this number.
   *
   * @param channel of which
   * @param epoch of the run, from 0
   * @param atLeast the smallest number that will do, from 0
   * @param limit how long to wait until there is one
   */
  public record Wanted(String channel, long epoch, long atLeast, Duration limit) {}
}
