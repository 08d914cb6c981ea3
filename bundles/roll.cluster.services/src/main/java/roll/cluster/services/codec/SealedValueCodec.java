package roll.cluster.services.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Codec of a sealed interface: the simple name of a permitted record, and the record. */
final class SealedValueCodec implements ValueCodec {
  private final String type;
  private final Map<String, ValueCodec> permitted = new LinkedHashMap<>();

  /**
   * Creates the codec of {@code type}.
   *
   * @param codecs returns the codec of a permitted record
   */
  SealedValueCodec(Class<?> type, Function<Class<?>, ValueCodec> codecs) {
    this.type = type.getSimpleName();
    for (Class<?> one : type.getPermittedSubclasses()) {
      permitted.put(one.getSimpleName(), codecs.apply(one));
    }
  }

  private ValueCodec codec(String name) {
    ValueCodec codec = permitted.get(name);
    if (codec == null) {
      throw new MalformedMessageException("there is no " + type + " " + name);
    }
    return codec;
  }

  @Override
  public void write(ByteWriter out, @Nullable Object value) {
    String name = value == null ? "null" : value.getClass().getSimpleName();
    out.text(name);
    codec(name).write(out, value);
  }

  @Override
  public Object read(ByteReader in) {
    return codec(in.text()).present(in);
  }
}
