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

/**
 * A record, component by component in their order. What its constructor does not accept is not
 * read.
 */
final class RecordForm implements WireForm {
  private record Component(Method accessor, WireForm form) {}

  private final Constructor<?> constructor;
  private final List<Component> components = new ArrayList<>();

  /**
   * The form of {@code type}.
   *
   * @param forms of the types of its components
   */
  RecordForm(Class<?> type, Function<Type, WireForm> forms) {
    RecordComponent[] parts = type.getRecordComponents();
    for (RecordComponent part : parts) {
      Method accessor = part.getAccessor();
      accessor.setAccessible(true);
      components.add(new Component(accessor, forms.apply(part.getGenericType())));
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
        throw new IllegalStateException(e); // an accessor of a record gives what it has
      }
      component.form.write(out, part);
    }
  }

  @Override
  public Object read(ByteReader in) {
    if (components.isEmpty()) {
      in.bool();
    }
    @Nullable Object[] values = new @Nullable Object[components.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = components.get(i).form.read(in);
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
