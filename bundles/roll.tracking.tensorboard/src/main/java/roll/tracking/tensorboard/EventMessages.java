package roll.tracking.tensorboard;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * The few messages of TensorFlow's {@code event.proto} and {@code summary.proto} that scalars need,
 * encoded field by field.
 */
final class EventMessages {
  // message Event
  private static final int WALL_TIME = 1;
  private static final int STEP = 2;
  private static final int FILE_VERSION = 3;
  private static final int SUMMARY = 5;
  private static final int SESSION_LOG = 7;
  // message SessionLog
  private static final int STATUS = 1;
  private static final int START = 1;
  // message Summary and its Value
  private static final int VALUE = 1;
  private static final int TAG = 1;
  private static final int SIMPLE_VALUE = 2;

  private EventMessages() {}

  /** Returns the first event of every file. */
  static byte[] fileVersion(double wallTime) {
    return encode(
        out -> {
          out.writeDouble(WALL_TIME, wallTime);
          out.writeString(FILE_VERSION, "brain.Event:2");
        });
  }

  /** Returns a session start: readers drop their points of {@code step} and later. */
  static byte[] sessionStart(double wallTime, int step) {
    return encode(
        out -> {
          out.writeDouble(WALL_TIME, wallTime);
          out.writeInt64(STEP, step);
          out.writeByteArray(SESSION_LOG, encode(log -> log.writeEnum(STATUS, START)));
        });
  }

  /** Returns an event with all scalars of a step. */
  static byte[] scalars(double wallTime, int step, Map<String, Double> metrics) {
    return encode(
        out -> {
          out.writeDouble(WALL_TIME, wallTime);
          out.writeInt64(STEP, step);
          out.writeByteArray(SUMMARY, summary(metrics));
        });
  }

  private static byte[] summary(Map<String, Double> metrics) {
    return encode(
        out -> {
          for (var metric : metrics.entrySet()) {
            byte[] value =
                encode(
                    one -> {
                      one.writeString(TAG, metric.getKey());
                      one.writeFloat(SIMPLE_VALUE, metric.getValue().floatValue());
                    });
            out.writeByteArray(VALUE, value);
          }
        });
  }

  private static byte[] encode(Message message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      message.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a stream in memory does not fail
    }
    return bytes.toByteArray();
  }

  @FunctionalInterface
  private interface Message {
    void write(CodedOutputStream out) throws IOException;
  }
}
