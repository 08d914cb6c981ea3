package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/** Copies records with one component replaced. */
final class RecordCopies {
  private RecordCopies() {}

  /** Returns {@code record} with another value of one component. */
  @SuppressWarnings("unchecked") // the constructor is that of the record's own class
  static <R extends Record> R replace(R record, String component, @Nullable Object value) {
    RecordComponent[] components = record.getClass().getRecordComponents();
    @Nullable Object[] values = new Object[components.length];
    Class<?>[] types = new Class<?>[components.length];
    boolean found = false;
    try {
      for (int i = 0; i < components.length; i++) {
        boolean replaced = components[i].getName().equals(component);
        found |= replaced;
        types[i] = components[i].getType();
        values[i] = replaced ? value : components[i].getAccessor().invoke(record);
      }
      assertTrue(found, component);
      return (R) record.getClass().getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(component, e);
    }
  }
}
