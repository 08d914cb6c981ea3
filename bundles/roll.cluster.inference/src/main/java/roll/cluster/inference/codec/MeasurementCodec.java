package roll.cluster.inference.codec;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.memory.DeviceMemory;
import roll.api.memory.StateKind;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;

/** What sessions say of themselves. */
public final class MeasurementCodec {
  private MeasurementCodec() {}

  /** Metrics, in their order. */
  public static void write(ByteWriter out, Map<String, Double> metrics) {
    out.list(
        metrics.entrySet(), (to, metric) -> to.text(metric.getKey()).float64(metric.getValue()));
  }

  /** As {@link #write(ByteWriter, Map)} wrote them. */
  public static Map<String, Double> metrics(ByteReader in) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    in.list(
        from -> {
          String name = from.text();
          double value = from.float64();
          if (metrics.putIfAbsent(name, value) != null) {
            throw new MalformedMessageException("a metric comes twice: " + name);
          }
          return name;
        });
    return Collections.unmodifiableMap(metrics);
  }

  /** The memory of devices. */
  public static void write(ByteWriter out, List<DeviceMemory> devices) {
    out.list(
        devices,
        (to, device) ->
            to.int32(device.device())
                .list(
                    device.bytes().entrySet(),
                    (each, held) -> each.constant(held.getKey()).int64(held.getValue())));
  }

  /** As {@link #write(ByteWriter, List)} wrote it. */
  public static List<DeviceMemory> devices(ByteReader in) {
    return in.list(
        from -> {
          int number = from.int32();
          Map<StateKind, Long> bytes = new EnumMap<>(StateKind.class);
          from.list(each -> bytes.put(each.constant(StateKind.values()), each.int64()) == null);
          return new DeviceMemory(number, bytes);
        });
  }
}
