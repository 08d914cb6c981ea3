package roll.cluster.services.codec;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Codec of a record: its components in order. Values that its constructor refuses are refused. */
final class RecordValueCodec implements ValueCodec {
  private record Component(Method accessor, ValueCodec codec) {}

  private final Constructor<?> constructor;
  private final List<Component> components = new ArrayList<>();

  /**
   * Creates the codec of {@code type}.
   *
   * @param codecs returns the codec of a component's type
   */
  RecordValueCodec(Class<?> type, Function<Type, ValueCodec> codecs) {
    RecordComponent[] parts = type.getRecordComponents();
    for (RecordComponent part : parts) {
      Method accessor = part.getAccessor();
      accessor.setAccessible(true);
      components.add(new Component(accessor, codecs.apply(part.getGenericType())));
    }
    try {
      constructor =
          type.getDeclaredConstructor(
              Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e); // every record has it
    }
  }

  @Override
  public void write(ByteWriter out, @Nullable Object value) {
    if (components.isEmpty()) {
      out.bool(true);
    }
    for (Component component : components) {
      Object part;
      try {
        part = component.accessor.invoke(value);
      } catch (InvocationTargetException | IllegalAccessException e) {
        throw new IllegalStateException(e); // accessors of records do not throw
      }
      component.codec.write(out, part);
    }
  }

  @Override
  public Object read(ByteReader in) {
    if (components.isEmpty()) {
      in.bool();
    }
    @Nullable Object[] values = new @Nullable Object[components.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = components.get(i).codec.read(in);
    }
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException refused
          ? refused
          : new IllegalStateException(e.getCause());
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
