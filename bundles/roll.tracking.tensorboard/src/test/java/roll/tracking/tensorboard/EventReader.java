package roll.tracking.tensorboard;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads event files, both kinds of scalar, and verifies every checksum. */
final class EventReader {
  private EventReader() {}

  /**
   * One event.
   *
   * @param fileVersion empty except in the first event
   * @param sessionStatus 0 if it is not a session log
   * @param scalars by tag
   */
  record Event(
      double wallTime,
      long step,
      String fileVersion,
      int sessionStatus,
      Map<String, Float> scalars) {}

  static List<Event> read(Path file) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    List<Event> events = new ArrayList<>();
    while (in.hasRemaining()) {
      byte[] length = new byte[Long.BYTES];
      in.get(length);
      verify(length, in.getInt());
      ByteBuffer number = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN);
      byte[] data = new byte[Math.toIntExact(number.getLong())];
      in.get(data);
      verify(data, in.getInt());
      events.add(event(CodedInputStream.newInstance(data)));
    }
    return events;
  }

  private static void verify(byte[] data, int crc) throws IOException {
    if (MaskedCrc.masked(data) != crc) {
      throw new IOException("wrong checksum");
    }
  }

  private static Event event(CodedInputStream in) throws IOException {
    double wallTime = 0;
    long step = 0;
    String version = "";
    int status = 0;
    Map<String, Float> scalars = Map.of();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> wallTime = in.readDouble();
        case 2 -> step = in.readInt64();
        case 3 -> version = in.readString();
        case 5 -> scalars = summary(in.readBytes());
        case 7 -> status = status(in.readBytes());
        default -> in.skipField(tag);
      }
    }
    return new Event(wallTime, step, version, status, scalars);
  }

  private static Map<String, Float> summary(ByteString bytes) throws IOException {
    CodedInputStream in = bytes.newCodedInput();
    Map<String, Float> scalars = new LinkedHashMap<>();
    while (in.readTag() != 0) {
      CodedInputStream value = in.readBytes().newCodedInput();
      String name = "";
      float number = Float.NaN;
      for (int tag = value.readTag(); tag != 0; tag = value.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case 1 -> name = value.readString();
          case 2 -> number = value.readFloat();
          case 8 -> number = tensor(value.readBytes());
          default -> value.skipField(tag);
        }
      }
      scalars.put(name, number);
    }
    return scalars;
  }

  /**
   * Returns the only number of a float TensorProto: in {@code tensor_content} or in {@code
   * float_val}.
   */
  private static float tensor(ByteString bytes) throws IOException {
    CodedInputStream in = bytes.newCodedInput();
    float number = Float.NaN;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 4, 5 -> {
          byte[] content = in.readBytes().toByteArray();
          number = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getFloat();
        }
        default -> in.skipField(tag);
      }
    }
    return number;
  }

  private static int status(ByteString bytes) throws IOException {
    CodedInputStream in = bytes.newCodedInput();
    int status = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 1) {
        status = in.readEnum();
      } else {
        in.skipField(tag);
      }
    }
    return status;
  }
}
