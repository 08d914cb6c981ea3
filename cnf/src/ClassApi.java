import java.io.IOException;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;

/** The API of compiled classes: everything but private members and code. */
class ClassApi {
  private static final int HIDDEN = ClassFile.ACC_PRIVATE | ClassFile.ACC_SYNTHETIC;

  private ClassApi() {}

  /**
   * Returns a digest of {@code files} that changes if classes compiled against them may need
   * recompilation.
   */
  static String of(Collection<Path> files) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    ClassFile bare = ClassFile.of(ClassFile.ConstantPoolSharingOption.NEW_POOL);
    for (Path file : files) {
      ClassModel model = bare.parse(Files.readAllBytes(file));
      if (!isLocal(model)) {
        digest.update(bare.transformClass(model, visible(model)));
      }
    }
    return HexFormat.of().formatHex(digest.digest(), 0, 16);
  }

  private static ClassTransform visible(ClassModel model) {
    return (builder, element) -> {
      switch (element) {
        case MethodModel method when (method.flags().flagsMask() & HIDDEN) != 0 -> {}
        case FieldModel field when (field.flags().flagsMask() & HIDDEN) != 0 -> {}
        case MethodModel method ->
            builder.transformMethod(
                method, MethodTransform.dropping(part -> part instanceof CodeModel));
        // The attribute also lists nested classes that only the code uses.
        case InnerClassesAttribute inner ->
            builder.with(
                InnerClassesAttribute.of(
                    inner.classes().stream()
                        .filter(info -> info.innerClass().equals(model.thisClass()))
                        .toList()));
        case NestMembersAttribute _, SourceFileAttribute _ -> {}
        default -> builder.with(element);
      }
    };
  }

  private static boolean isLocal(AttributedElement type) {
    return type.findAttribute(Attributes.enclosingMethod()).isPresent();
  }
}
