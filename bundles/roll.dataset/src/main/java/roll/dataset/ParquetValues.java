package roll.dataset;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** Converts values of a Parquet record to those of rows. */
final class ParquetValues {
  private ParquetValues() {}

  /** Returns the non-null fields of {@code group}. */
  static Map<String, Object> fields(Group group) {
    Map<String, Object> fields = new LinkedHashMap<>();
    GroupType schema = group.getType();
    for (int i = 0; i < schema.getFieldCount(); i++) {
      Type type = schema.getType(i);
      if (type.isRepetition(Type.Repetition.REPEATED)) {
        fields.put(type.getName(), all(group, i));
      } else if (group.getFieldRepetitionCount(i) > 0) {
        fields.put(type.getName(), value(group, i, 0));
      }
    }
    return fields;
  }

  private static List<Object> all(Group group, int field) {
    List<Object> all = new ArrayList<>();
    for (int n = 0; n < group.getFieldRepetitionCount(field); n++) {
      all.add(value(group, field, n));
    }
    return all;
  }

  private static Object value(Group group, int field, int number) {
    Type type = group.getType().getType(field);
    LogicalTypeAnnotation meaning = type.getLogicalTypeAnnotation();
    if (type.isPrimitive()) {
      return primitive(group, field, number, type.asPrimitiveType());
    }
    Group inner = group.getGroup(field, number);
    return switch (meaning) {
      case ListLogicalTypeAnnotation _ -> list(inner);
      case MapLogicalTypeAnnotation _ -> map(inner);
      case null, default -> fields(inner);
    };
  }

  /** Reads a list, either {@code list.element}, the current form, or a repeated element. */
  private static List<Object> list(Group outer) {
    Type repeated = outer.getType().getType(0);
    boolean wrapped = !repeated.isPrimitive() && repeated.asGroupType().getFieldCount() == 1;
    if (!wrapped) {
      return all(outer, 0);
    }
    List<Object> items = new ArrayList<>();
    for (int n = 0; n < outer.getFieldRepetitionCount(0); n++) {
      Group item = outer.getGroup(0, n);
      if (item.getFieldRepetitionCount(0) > 0) {
        items.add(value(item, 0, 0));
      }
    }
    return items;
  }

  private static Map<String, Object> map(Group outer) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int n = 0; n < outer.getFieldRepetitionCount(0); n++) {
      Group entry = outer.getGroup(0, n);
      if (entry.getType().getFieldCount() > 1 && entry.getFieldRepetitionCount(1) > 0) {
        map.put(String.valueOf(value(entry, 0, 0)), value(entry, 1, 0));
      }
    }
    return map;
  }

  /** Reads a number or a boolean; decimals and all other types become text. */
  private static Object primitive(Group group, int field, int number, PrimitiveType type) {
    if (type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal) {
      return new BigDecimal(unscaled(group, field, number, type), decimal.getScale()).toString();
    }
    return switch (type.getPrimitiveTypeName()) {
      case INT32 -> (long) group.getInteger(field, number);
      case INT64 -> group.getLong(field, number);
      case FLOAT -> (double) group.getFloat(field, number);
      case DOUBLE -> group.getDouble(field, number);
      case BOOLEAN -> group.getBoolean(field, number);
      case BINARY -> text(group.getBinary(field, number).getBytes());
      default -> group.getValueToString(field, number);
    };
  }

  /** Returns bytes as text, in Base64 if they are not UTF-8, such as those of a picture. */
  static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return Base64.getEncoder().encodeToString(bytes);
    }
  }

  private static BigInteger unscaled(Group group, int field, int number, PrimitiveType type) {
    return switch (type.getPrimitiveTypeName()) {
      case INT32 -> BigInteger.valueOf(group.getInteger(field, number));
      case INT64 -> BigInteger.valueOf(group.getLong(field, number));
      default -> new BigInteger(group.getBinary(field, number).getBytes());
    };
  }
}
